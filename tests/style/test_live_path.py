"""Each rule has one implementation: what an engine offers, the room calls."""

from __future__ import annotations

from tests.style.calls import units
from tests.style.live_path import app_units, idle
from tests.style.modules import app_modules

ENGINE = """
from dataclasses import dataclass
from functools import singledispatch

LIMIT = 3

@dataclass
class Terms:
    places: int

    @property
    def is_open(self): ...
    def full(self): ...

def check(terms: Terms): return _limit()
def _limit(): return inner()
def inner(): return LIMIT
def only_inner(): return unused()
def unused(): ...
def simulated(): ...
def commanded(): ...
def by_bots(): ...

@singledispatch
def act(action): ...
@act.register
def _fold(action: int): return folded()
def folded(): ...
"""

SOURCES = {
    "tournaments.engine.terms": ENGINE,
    "tournaments.engine": "",
    "tournaments.entries.late": (
        "from tournaments.engine import terms as rules\n"
        "from tournaments.engine.terms import act\n"
        "def review(row):\n    rules.check(row.is_open)\n    act(1)\n"
        "def check(): return rules.only_inner()"
    ),
    "tournaments.running.tasks": (
        "from celery import shared_task\n"
        "@shared_task\ndef tick():\n    from tournaments.entries import late\n    late.review(1)"
    ),
    "tournaments.simulation.simulation_run": (
        "from tournaments.engine.terms import simulated\nclass Course:\n    x = simulated()"
    ),
    "tournaments.management.commands.simulate": (
        "from tournaments.engine.terms import commanded\nclass Command:\n    x = commanded()"
    ),
    "tables.bots.brain": "from tournaments.engine.terms import by_bots\nx = by_bots()",
}


def test_the_live_path_calls_every_public_function_of_the_engines() -> None:
    assert idle(app_units()) == []


def test_planted_functions_of_nobody_simulation_commands_or_bots_are_found() -> None:
    assert [place.partition(":")[2] for place in idle(units(SOURCES))] == [
        "Terms.full",
        "by_bots",
        "commanded",
        "only_inner",
        "simulated",
        "unused",
    ]


def test_a_planted_function_in_the_code_of_today_is_found() -> None:
    sources = {name: path.read_text() for name, path in app_modules().items()}
    sources["tournaments.engine.merging"] += "\n\ndef planted():\n    return merges([])\n"
    sources["tournaments.simulation.simulation_run"] += (
        "\n\nfrom tournaments.engine.merging import planted\nplanted()\n"
    )
    assert idle(units(sources)) == ["tournaments.engine.merging:planted"]
