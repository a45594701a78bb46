"""Password hashing has bounded memory and cores, and older hashes still verify."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import threading

import pytest
from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher, PBKDF2PasswordHasher, check_password

from accounts.models import User
from accounts.users import hashing
from config import limits
from config.environment import HOME

PASSWORD = "three blind mice"

AT_ONCE = """
import resource, threading
import django
django.setup()
from django.contrib.auth.hashers import check_password, make_password
check_password("warm up", make_password("warm up"))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
threads = [threading.Thread(target=make_password, args=(f"guess {n}",)) for n in range(100)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def test_a_hundred_log_ins_at_once_cost_no_more_memory_than_a_few() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", AT_ONCE], cwd=HOME, capture_output=True, text=True, check=True
    )
    hashes = settings.PASSWORD_HASHES_AT_ONCE * limits.PASSWORD_HASH_KIB
    # A hundred waiting threads have stacks; at 100 MiB per hash the sum would be gigabytes.
    assert int(ran.stdout.split()[-1]) < hashes + 60 * 1_024


def test_hashes_are_made_by_few_threads_of_low_priority() -> None:
    seen: list[tuple[str, int]] = []

    def look() -> None:
        thread = threading.get_native_id()
        seen.append((threading.current_thread().name, os.getpriority(os.PRIO_PROCESS, thread)))

    pages = [threading.Thread(target=hashing._bounded, args=(look,)) for _ in range(50)]
    for page in pages:
        page.start()
    for page in pages:
        page.join()
    assert len(seen) == 50
    assert len({name for name, _ in seen}) <= settings.PASSWORD_HASHES_AT_ONCE
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert {nice for _, nice in seen} == {min(19, own + limits.PASSWORD_HASH_NICE)}


def test_processes_of_one_machine_hash_in_turn() -> None:
    code = (
        "import django, time; django.setup()\n"
        "from accounts.users import hashing\n"
        "def work():\n"
        "    began = time.monotonic(); time.sleep(0.05); return began, time.monotonic()\n"
        "print(*(moment for n in range(5) for moment in hashing._bounded(work)))\n"
    )
    environment = os.environ | {"PASSWORD_HASHES_AT_ONCE": "1"}
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", code],
            cwd=HOME, env=environment, stdout=subprocess.PIPE, text=True,
        )
        for _ in range(2)
    ]  # fmt: skip
    told = [process.communicate()[0].split() for process in processes]
    moments = [
        (float(a), float(b)) for one in told for a, b in zip(one[::2], one[1::2], strict=True)
    ]
    spans = sorted(moments)
    assert len(spans) == 10
    assert all(ended <= began for (_, ended), (began, _) in itertools.pairwise(spans))


def test_a_verification_within_a_hash_does_not_wait_for_itself() -> None:
    assert check_password(PASSWORD, PBKDF2PasswordHasher().encode(PASSWORD, "salt", 1_000))
    assert not check_password("wrong", PBKDF2PasswordHasher().encode(PASSWORD, "salt", 1_000))


def test_a_hash_of_yesterday_opens_the_door_and_is_made_anew(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Yesterday(Argon2PasswordHasher):
        time_cost, memory_cost, parallelism = 2, 102_400, 8

    old = Yesterday().encode(PASSWORD, "saltofyesterday1234567")
    user = User.objects.create_user("olga")
    User.objects.filter(pk=user.pk).update(password=old)
    user.refresh_from_db()
    assert not user.check_password("wrong")
    assert user.password == old
    monkeypatch.setattr(hashing.Argon2, "memory_cost", limits.PASSWORD_HASH_KIB)
    monkeypatch.setattr(hashing.Argon2, "time_cost", 2)
    assert user.check_password(PASSWORD)
    user.refresh_from_db()
    assert "$m=19456,t=2,p=1$" in user.password
    assert user.check_password(PASSWORD)


@pytest.mark.parametrize("count", ["0", "-1"])
def test_a_room_that_never_hashes_does_not_start(count: str) -> None:
    environment = os.environ | {"PASSWORD_HASHES_AT_ONCE": count}
    ran = subprocess.run(
        [sys.executable, "-c", "import django; django.setup()"],
        cwd=HOME, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode != 0
    assert "PASSWORD_HASHES_AT_ONCE must be 1 or more" in ran.stderr
