"""Values that requests of a process share: made once, made anew when old, never awaited twice."""

from __future__ import annotations

import itertools
import threading

import pytest

from config.shared_value import LATE_MAX_S, SharedValue, SharedValues


def test_a_value_is_made_once_until_it_is_old() -> None:
    kept = SharedValue(itertools.count().__next__, seconds=3_600)
    assert [kept.get(), kept.get()] == [0, 0]
    kept.forget()
    assert kept.get() == 1
    always = SharedValue(itertools.count().__next__, seconds=0)
    assert [always.get(), always.get()] == [0, 1]


def test_readers_get_the_value_before_while_one_makes_it_anew() -> None:
    made, going_on = threading.Event(), threading.Event()
    numbers = itertools.count()

    def make() -> int:
        number = next(numbers)
        if number == 1:
            made.set()
            assert going_on.wait(60)
        return number

    kept = SharedValue(make, seconds=0)
    assert kept.get() == 0
    maker = threading.Thread(target=kept.get)
    maker.start()
    assert made.wait(60)
    assert [kept.get(), kept.get()] == [0, 0], "nobody waits, nobody makes a second one"
    going_on.set()
    maker.join(60)
    assert kept.get() == 2


def test_the_first_readers_wait_for_one_value() -> None:
    made, going_on = threading.Event(), threading.Event()
    numbers = itertools.count()

    def make() -> int:
        made.set()
        assert going_on.wait(60)
        return next(numbers)

    kept = SharedValue(make, seconds=3_600)
    seen: list[int] = []
    readers = [threading.Thread(target=lambda: seen.append(kept.get())) for _ in range(4)]
    for reader in readers:
        reader.start()
    assert made.wait(60)
    going_on.set()
    for reader in readers:
        reader.join(60)
    assert seen == [0] * 4


def test_a_value_that_cannot_be_made_is_tried_again() -> None:
    answers = iter((ZeroDivisionError(), 7))

    def make() -> int:
        answer = next(answers)
        if isinstance(answer, int):
            return answer
        raise answer

    kept = SharedValue(make, seconds=3_600)
    with pytest.raises(ZeroDivisionError):
        kept.get()
    assert kept.get() == 7


def test_a_value_of_long_ago_is_awaited() -> None:
    made, going_on = threading.Event(), threading.Event()
    numbers = itertools.count()

    def make() -> int:
        number = next(numbers)
        if number == 1:
            made.set()
            assert going_on.wait(60)
        return number

    kept = SharedValue(make, seconds=-LATE_MAX_S)  # too old from the beginning
    assert kept.get() == 0
    seen: list[int] = []
    readers = [threading.Thread(target=lambda: seen.append(kept.get())) for _ in range(3)]
    for reader in readers:
        reader.start()
    assert made.wait(60)
    going_on.set()
    for reader in readers:
        reader.join(60)
    assert 0 not in seen and len(seen) == 3


def test_values_have_keys_and_the_least_lately_asked_go() -> None:
    numbers = itertools.count()
    kept = SharedValues[str, int](seconds=3_600, kept=2)
    assert [kept.get(key, numbers.__next__) for key in "abab"] == [0, 1, 0, 1]
    assert kept.get("c", numbers.__next__) == 2, "a goes"
    assert [kept.get(key, numbers.__next__) for key in "bca"] == [1, 2, 3]
    kept.forget()
    assert kept.get("c", numbers.__next__) == 4
