"""Time of answers for names and addresses that exist and that do not, asked in turns."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median, quantiles
from time import perf_counter

from tests.bench.shared import rooms
from tests.bench.shared.report import note

PAIRS = 400
LOGINS = 100
PASSWORD = "a long password"


def main(pairs: int) -> None:
    """Measure each kind of question, and print medians, their difference and the usual spread."""
    with rooms.opened():
        found = {
            "forgotten password by name": _resets(pairs, by_name=True),
            "forgotten password by address": _resets(pairs, by_name=False),
            "address of somebody else added": _added(pairs),
            "log-in with a wrong password": _logins(min(pairs, LOGINS)),
        }
    print("question, us: median of known, of unknown, difference, spread (half the quartiles)")
    numbers: dict[str, float] = {}
    for name, (known, unknown) in found.items():
        low, _, high = quantiles(known + unknown, n=4)
        known_us, unknown_us = median(known) * 1e6, median(unknown) * 1e6
        spread = (high - low) / 2 * 1e6
        print(f"  {name:<32} {known_us:>9.0f} {unknown_us:>9.0f}"
              f" {known_us - unknown_us:>+8.0f} {spread:>8.0f}")  # fmt: skip
        numbers[f"enumeration.{name.replace(' ', '_')}_us"] = known_us - unknown_us
    note(numbers)


Times = tuple[list[float], list[float]]


def _in_turns(
    pairs: int, known: Callable[[int], object], unknown: Callable[[int], object]
) -> Times:
    """Time both kinds, each first in every other pair, without the first tenth."""
    taken: Times = ([], [])
    for number in range(pairs):
        kinds = [(taken[0], known), (taken[1], unknown)]
        for times, ask in kinds if number % 2 else kinds[::-1]:
            began = perf_counter()
            ask(number)
            if number >= pairs // 10:
                times.append(perf_counter() - began)
    return taken


def _people(prefix: str, number: int) -> None:
    """Create people with a confirmed address each."""
    from django.contrib.auth.hashers import make_password
    from django.utils import timezone

    from accounts.models import EmailAddress, User

    hashed = make_password(PASSWORD)
    for one in range(number):
        user = User.objects.create(name=f"{prefix}{one}", password=hashed)
        EmailAddress.objects.create(
            user=user,
            address=f"{prefix}{one}@example.org",
            confirmed_at=timezone.now(),
            is_primary=True,
        )


def _resets(pairs: int, *, by_name: bool) -> Times:
    from accounts.users import forgotten_password

    prefix, end = ("Named", "") if by_name else ("Mailed", "@example.org")
    _people(prefix, pairs)
    return _in_turns(
        pairs,
        lambda number: forgotten_password.mail_link(f"{prefix}{number}{end}", ""),
        lambda number: forgotten_password.mail_link(f"Absent{number}{end}", ""),
    )


def _added(pairs: int) -> Times:
    from accounts.mail import addresses
    from accounts.models import User

    _people("Owner", pairs)
    askers = [User.objects.create(name=f"Asker{one}") for one in range(2 * pairs)]
    return _in_turns(
        pairs,
        lambda number: addresses.add(askers[number], f"owner{number}@example.org", ""),
        lambda number: addresses.add(askers[-1 - number], f"absent{number}@example.org", ""),
    )


def _logins(pairs: int) -> Times:
    from django.contrib.auth.backends import ModelBackend

    _people("Login", pairs)
    ask = ModelBackend().authenticate
    return _in_turns(
        pairs,
        lambda number: ask(None, username=f"Login{number}", password="wrong password"),
        lambda number: ask(None, username=f"Nobody{number}", password="wrong password"),
    )


if __name__ == "__main__":
    main(PAIRS)
