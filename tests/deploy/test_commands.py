"""Help of every command of the house."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from config.environment import HOME

OWN = sorted(path.stem for path in Path(HOME).glob("*/management/commands/[a-z]*.py"))


@pytest.mark.parametrize("name", OWN)
def test_every_command_prints_its_help(name: str) -> None:
    """A lone per cent sign in an option's text would end the command with a traceback."""
    parser = load_command_class(get_commands()[name], name).create_parser("manage.py", name)
    assert parser.format_help().startswith("usage: manage.py")
