"""Lists of the admin filter, search and sort by shown columns and by nothing else."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.exceptions import DisallowedModelAdminLookup
from django.contrib.admin.options import ModelAdmin
from django.contrib.admin.utils import flatten_fieldsets
from django.contrib.admin.views.main import ChangeList
from django.db.models import Model
from django.http import HttpRequest
from django.test import Client, RequestFactory
from django.urls import reverse
from redis import Redis

from accounts.models import User
from accounts.users import groups
from config.admin_site import FILTER_ENDINGS, DeclaredLookups
from tables.models import Hand
from tests.tournaments.cast import Arena, offer, started
from tournaments.models import Tournament

HOPS_MAX = 3
ADMINS = sorted(admin.site._registry.items(), key=lambda pair: pair[0]._meta.label)


@pytest.fixture
def observer(room: Redis, broker: Redis, transactional_db: None) -> User:
    """Member of the read-only group."""
    user = User.objects.create_user("Olaf", "a long password", is_staff=True)
    user.groups.add(groups.keep_observers())
    return user


@pytest.fixture
def browser(observer: User, client: Client) -> Client:
    """Browser of the observer."""
    client.force_login(observer)
    return client


def asked(user: User, **parameters: str) -> HttpRequest:
    """Return a request of this user for a list with these parameters."""
    request = RequestFactory().get("/admin/", parameters)
    request.user = user
    return request


def address(model: type[Model], kind: str = "changelist") -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{kind}")


def fields_of(model: type[Model]) -> Iterator[tuple[str, Any]]:
    """Return query names of a model's fields and relations, reverse ones included."""
    yield "pk", model._meta.pk
    for field in model._meta.get_fields(include_hidden=True):
        yield getattr(field, "attname", field.name), field
        yield field.name, field


def paths_of(model: type[Model], hops: int) -> Iterator[tuple[str, Any]]:
    """Return every path of at most so many fields, relations followed."""
    for name, field in fields_of(model):
        yield name, field
        if hops > 1 and field.is_relation and field.related_model and name != "pk":
            for rest, last in paths_of(field.related_model, hops - 1):
                yield f"{name}__{rest}", last


def lookups_of(field: Any, hops: int) -> Iterator[str]:
    """Return all lookups and transforms of a field, or only the revealing one for long paths."""
    if hops == HOPS_MAX:
        yield "__startswith"
        return
    yield ""
    for name in getattr(field, "get_lookups", dict)():
        yield f"__{name}"
    yield from ("__exact", "__contains", "__regex", "__year__gt", "__0", "__id__exact", "__pk")


def shown(model: type[Model], editor: ModelAdmin[Any], request: HttpRequest) -> set[str]:
    """Return the fields of a model that its own list or page shows to this user."""
    row = model()
    names = set(editor.get_list_display(request)) | {"id", "pk", model._meta.pk.name}
    names |= set(flatten_fieldsets(editor.get_fieldsets(request, row)))
    names |= set(filter(None, (_sorts_by(editor, model, name) for name in names)))
    return {str(name) for name in names}


def _sorts_by(editor: ModelAdmin[Any], model: type[Model], name: Any) -> str | None:
    found = getattr(editor, str(name), None) or getattr(model, str(name), None)
    return getattr(found, "admin_order_field", None)


def inlined(model: type[Model], other: type[Model], user: User) -> set[str]:
    """Return the fields of another model that the page of a row of this one lists to this user."""
    editor = admin.site._registry.get(model)
    lists = editor.get_inlines(asked(user), model()) if editor else ()
    made = (one(model, admin.site) for one in lists if one.model is other)
    return {
        str(name)
        for one in made
        if one.has_view_permission(asked(user), model())
        for name in one.get_fields(asked(user))
    }


def is_shown(model: type[Model], path: str, user: User) -> bool:
    """Return whether the last field of a path is shown on the pages of its model."""
    name, _, rest = path.partition("__")
    field = model._meta.pk if name == "pk" else model._meta.get_field(name)
    if rest and field.is_relation:
        assert field.related_model is not None, f"{path}: a relation to any model"
        return rest in inlined(model, field.related_model, user) or is_shown(
            field.related_model, rest, user
        )
    editor = admin.site._registry.get(model)
    return editor is not None and name in shown(model, editor, asked(user))


def test_no_model_is_registered_without_the_declared_lookups() -> None:
    assert len(ADMINS) > 15
    assert [model for model, editor in ADMINS if not isinstance(editor, DeclaredLookups)] == []
    assert {model._meta.app_label for model, _ in ADMINS} >= {"auth", "axes"}, (
        "models of libraries too"
    )


def test_no_admin_loosens_the_declared_lookups() -> None:
    held = ("lookup_allowed", "get_changelist", "to_field_allowed", "filter_paths")
    for _, editor in ADMINS:
        for name in held:
            assert getattr(type(editor), name) is getattr(DeclaredLookups, name), (editor, name)


@pytest.mark.parametrize(("model", "editor"), ADMINS, ids=lambda one: str(one).split(".")[-1])
def test_no_path_of_no_model_filters_unless_declared(
    model: type[Model], editor: ModelAdmin[Any], observer: User
) -> None:
    observer.is_superuser = model._meta.app_label not in groups.LOOKED_AT
    request = asked(observer)
    listed = editor.get_changelist_instance(request)
    declared = editor.filter_paths(request)  # type: ignore[attr-defined]
    tried, passed = 0, set()
    for path, field in paths_of(model, HOPS_MAX):
        for ending in lookups_of(field, path.count("__") + 1):
            tried += 1
            if filters(listed, request, path + ending):
                passed.add(path + ending)
    assert tried > 100
    for name in passed:
        path = max((one for one in declared if f"{name}__".startswith(f"{one}__")), key=len)
        assert name.removeprefix(path).removeprefix("__") in FILTER_ENDINGS | {""}, name
        if model._meta.app_label in groups.LOOKED_AT:
            assert is_shown(model, path, observer), name


def filters(listed: ChangeList, request: HttpRequest, name: str) -> bool:
    """Return whether the list accepts this parameter."""
    listed.filter_params = {name: ["1"]}
    try:
        listed.get_filters(request)
    except DisallowedModelAdminLookup:
        return False
    return True


@pytest.mark.parametrize(("model", "editor"), ADMINS, ids=lambda one: str(one).split(".")[-1])
def test_search_and_order_reach_only_what_is_shown(
    model: type[Model], editor: ModelAdmin[Any], observer: User
) -> None:
    observer.is_superuser = model._meta.app_label not in groups.LOOKED_AT
    request = asked(observer)
    paths = [str(one).lstrip("=^@") for one in editor.get_search_fields(request)]
    if model._meta.app_label in groups.LOOKED_AT:
        assert [path for path in paths if not is_shown(model, path, observer)] == []
    columns = editor.get_list_display(request)
    listed = editor.get_changelist_instance(request)
    for name in columns:
        order = listed.get_ordering_field(name)
        assert order is None or name == order or hasattr(editor, str(name)), name
        if order and model._meta.app_label in groups.LOOKED_AT:
            assert is_shown(model, str(order), observer), (name, order)


def test_cards_and_hashes_cannot_be_asked_for(browser: Client) -> None:
    arena = Arena(started(2).pk)
    arena.hand(arena.tables()[0])
    hand, private = Hand.objects.get(), offer(password="open sesame")
    right = bytes(hand.record)[-9:].decode(errors="ignore")
    for name, value in itertools.product(
        ("record__contains", "record__startswith", "record", "digest", "table__seats__name"),
        (right, "no such thing"),
    ):
        answer = browser.get(address(Hand), {"id": str(hand.pk), name: value})
        assert answer.status_code == 400, name
    assert browser.get(address(Hand), {"record__contains": right}).status_code == 400
    for name in ("password__startswith", "password__gt", "entries__user__password__startswith"):
        for value in (private.password[:20], "x"):
            assert browser.get(address(Tournament), {name: value}).status_code == 400, name
    users = {"password__startswith": "argon2", "session__session_key__gt": "a"}
    for name, value in users.items():
        assert browser.get(address(User), {name: value}).status_code == 400, name


def test_lookups_are_denied_by_the_editor_too(observer: User) -> None:
    editor, request = admin.site._registry[Tournament], asked(observer)
    declared = sorted(editor.filter_paths(request))  # type: ignore[attr-defined]
    assert declared and editor.lookup_allowed(declared[0], "x", request)
    assert editor.lookup_allowed(f"{declared[0]}__exact", "x", request)
    for hidden in ("password", "password__startswith", "entries__user__password__startswith"):
        assert not editor.lookup_allowed(hidden, "x", request), hidden
    for path in declared:
        for ending in ("__contains", "__startswith", "__regex", "__password__startswith"):
            assert not editor.lookup_allowed(path + ending, "x", request), path + ending


def test_a_declared_filter_takes_its_own_parameters_alone(browser: Client) -> None:
    entries = reverse("admin:tournaments_entry_changelist")
    assert browser.get(entries, {"state__exact": "seated"}).status_code == 200
    for ending in ("gte", "lt", "year"):
        assert browser.get(entries, {f"state__{ending}": "2026"}).status_code == 400, ending


def test_other_parameters_of_a_list_are_limited_too(browser: Client) -> None:
    private = offer(password="open sesame")
    found = browser.get(address(Tournament), {"q": private.password[:20]})
    assert found.context["cl"].result_count == 0
    by_field = {"_popup": "1", "_to_field": "password"}
    assert browser.get(address(Tournament), by_field).status_code == 400
    named = reverse("admin:tournaments_tournament_change", args=[private.password])
    assert browser.get(named, {"_to_field": "password"}).status_code == 400
    for order in ("99", "-99", "password", "-password", "1.password"):
        answer = browser.get(address(Tournament), {"o": order})
        assert answer.status_code in (200, 302), order
        if answer.status_code == 200:
            used = answer.context["cl"].get_ordering(answer.wsgi_request, Tournament.objects.all())
            assert not any("password" in str(one) for one in used)
    dates = {"created_at__year": "2026", "created_at__month": "1"}
    assert browser.get(address(Tournament), dates).status_code == 200
    assert browser.get(address(Tournament), {"created_at__week_day": "1"}).status_code == 400
    asked_for = {"app_label": "tables", "model_name": "seat", "field_name": "table", "term": "x"}
    assert browser.get(reverse("admin:autocomplete"), asked_for).json()["results"] == []
    asked_for |= {"app_label": "tournaments", "model_name": "entry", "field_name": "tournament"}
    answer = browser.get(reverse("admin:autocomplete"), asked_for | {"term": private.password[:9]})
    assert answer.json()["results"] == []


@pytest.mark.parametrize(
    "parameters",
    [
        {"state": "running\x00"},
        {"created_at__year": "9999"},
        {"created_at__year": "2026", "created_at__month": "9" * 20},
    ],
)
def test_a_value_that_no_row_can_have_shows_the_list_without_filters(
    browser: Client, parameters: dict[str, str]
) -> None:
    answer = browser.get(address(Tournament), parameters)
    assert answer.status_code == 302
    assert answer.headers["Location"] == f"{address(Tournament)}?e=1"
    assert browser.get(answer.headers["Location"]).status_code == 200


def test_declared_filters_still_work(browser: Client) -> None:
    made = started(2)
    entries = reverse("admin:tournaments_entry_changelist")
    link = browser.get(entries, {"tournament__id__exact": str(made.pk), "state__exact": "seated"})
    assert link.status_code == 200
    assert link.context["cl"].result_count == 2
    funds = reverse("admin:accounts_account_changelist")
    assert browser.get(funds, {"kind__exact": "reserve"}).status_code == 200
    day = {
        f"transfer__created__{end}": f"2020-01-0{day} 00:00Z"
        for end, day in (("gte", 1), ("lt", 2))
    }
    posted = browser.get(reverse("admin:accounts_posting_changelist"), day)
    assert posted.status_code == 200 and posted.context["cl"].result_count == 0
