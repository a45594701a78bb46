"""A room created before the stud preset gets it later; a structure of that name is kept."""

from __future__ import annotations

import pytest
from django.apps import apps

from tournaments.engine.presets import PRESETS
from tournaments.migrations import _presets
from tournaments.models import Structure
from tournaments.models.structure import encoded


@pytest.mark.django_db
@pytest.mark.rule("L-02")
def test_an_older_room_gets_its_missing_presets() -> None:
    Structure.objects.filter(name="stud").delete()
    _presets.add_presets(apps, None)
    stud = Structure.objects.get(name="stud")
    assert stud.items == list(encoded(PRESETS["stud"].structure))
    assert stud.starting_stack == PRESETS["stud"].starting_stack
    assert set(PRESETS) <= set(Structure.objects.values_list("name", flat=True))


@pytest.mark.django_db
@pytest.mark.rule("L-02")
def test_an_existing_structure_of_that_name_is_kept() -> None:
    Structure.objects.filter(name="stud").delete()
    own = Structure.objects.create(
        name="stud", items=encoded(PRESETS["turbo"].structure), starting_stack=77
    )
    _presets.add_presets(apps, None)
    _presets.add_presets(apps, None)
    kept = Structure.objects.get(name="stud")
    assert (kept.pk, kept.items, kept.starting_stack) == (own.pk, list(own.items), 77)
