"""A right asked in one query is the one that Django finds."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission

from accounts.models import User
from accounts.users.rights import has_right

MODERATES = "chat.moderate_chat"
OTHERS = ("tournaments.view_tournament", "chat.no_such_right")


def _permission(right: str) -> Permission:
    app, code = right.split(".")
    return Permission.objects.get(content_type__app_label=app, codename=code)


@pytest.fixture
def users(db: None) -> dict[str, User]:
    made = {
        name: User.objects.create_user(name, "a long password")
        for name in ("player", "given", "grouped", "both", "other", "banned", "chief")
    }
    moderators = Group.objects.create(name="moderators of chats")
    moderators.permissions.add(_permission(MODERATES), _permission(OTHERS[0]))
    for name in ("grouped", "both", "banned"):
        made[name].groups.add(moderators)
    for name in ("given", "both"):
        made[name].user_permissions.add(_permission(MODERATES))
    made["other"].user_permissions.add(_permission(OTHERS[0]))
    User.objects.filter(pk=made["chief"].pk).update(is_superuser=True)
    User.objects.filter(pk=made["banned"].pk).update(is_active=False)
    return {name: User.objects.get(pk=user.pk) for name, user in made.items()}


def test_a_right_is_found_as_django_finds_it(users: dict[str, User]) -> None:
    for right in (MODERATES, *OTHERS):
        for name, user in users.items():
            assert has_right(user, right) is user.has_perm(right), (name, right)
    holders = [name for name, user in users.items() if has_right(user, MODERATES)]
    assert holders == ["given", "grouped", "both", "chief"]


def test_a_right_is_asked_in_one_query(
    users: dict[str, User], django_assert_num_queries: Any
) -> None:
    has_right(users["player"], MODERATES)
    with django_assert_num_queries(1):
        assert not has_right(users["player"], MODERATES)
    with django_assert_num_queries(0):
        assert has_right(users["chief"], MODERATES)


def test_a_right_taken_back_is_gone_at_once(users: dict[str, User]) -> None:
    assert has_right(users["given"], MODERATES)
    users["given"].user_permissions.clear()
    assert not has_right(users["given"], MODERATES)
