"""Structs of messages are used by several threads from the first use on."""

from __future__ import annotations

import subprocess
import sys

RACE = """
import sys, threading, types
import msgspec

sys.setswitchinterval(1e-6)
module = sys.modules["shop"] = types.ModuleType("shop")
module.list, names = list, [f"Part{number}" for number in range(6)]
fields = [(f"field{number}", int) for number in range(8)]
values = {name: [{field: 1 for field, _ in fields}] for name in names}


def use_at_once(kind, start):
    start.wait()
    msgspec.convert(values, kind)


for _ in range(1_500):
    for name in names:
        setattr(module, name, msgspec.defstruct(name, fields))
    whole = [(name, f"list[{name}]") for name in names]
    kind = msgspec.defstruct("Whole", whole, namespace={"__module__": "shop"})
    told = (kind, threading.Barrier(4))
    threads = [threading.Thread(target=use_at_once, args=told) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
"""


def test_threads_may_use_a_struct_for_the_first_time_at_once() -> None:
    assert subprocess.run([sys.executable, "-c", RACE], check=False).returncode == 0
