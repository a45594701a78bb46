"""Help of every command of the house."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command, get_commands, load_command_class

from config.environment import HOME

OWN = sorted(path.stem for path in Path(HOME).glob("*/management/commands/[a-z]*.py"))


@pytest.mark.parametrize("name", OWN)
def test_every_command_prints_its_help(name: str) -> None:
    """A lone per cent sign in an option's text would end the command with a traceback."""
    parser = load_command_class(get_commands()[name], name).create_parser("manage.py", name)
    assert parser.format_help().startswith("usage: manage.py")


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        ({"times": 0}, "--times must be 1 or more"),
        ({"players": 3}, "--players 4 or more"),
        ({"redis_cluster": 0}, "--redis-cluster must be 3 or more"),
        ({"redis_cluster": 2}, "--redis-cluster must be 3 or more"),
    ],
)
def test_wrong_options_of_the_failover_start_nothing(options: dict[str, int], wrong: str) -> None:
    with pytest.raises(CommandError, match=wrong):
        call_command("failover", **options)
