"""Kinds of bots, as the commands that send them offer them."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Literal

Way = Literal["browsers", "sockets"]
WAYS: tuple[Way, ...] = ("browsers", "sockets")
"""Kinds of bots: people's browsers, or programs that only play over sockets."""


def add_way(parser: ArgumentParser, default: Way) -> None:
    """Add the option `--as`, whose value is the `way` of a run."""
    parser.add_argument(
        "--as",
        dest="way",
        choices=WAYS,
        default=default,
        help="players do all that people's browsers do, or only play over sockets",
    )
