"""Run the Lua scripts of the room by their digest, many in one trip; load the ones Redis lacks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from hashlib import sha1
from typing import Any, NamedTuple

from redis import Redis
from redis.exceptions import NoScriptError

from tables.store import lua


class ScriptCall(NamedTuple):
    """One run of a script: the name of its file, its keys and its arguments."""

    script: str
    keys: Sequence[str]
    args: Sequence[Any]


def run(redis: Redis, call: ScriptCall) -> Any:
    """Run one script and return its reply."""
    return run_all(redis, [call])[0]


def run_all(redis: Redis, calls: Sequence[ScriptCall]) -> list[Any]:
    """Run scripts in one trip and return their replies; raise the first error after that."""
    answers = _trip(redis, calls)
    unknown = [n for n, answer in enumerate(answers) if isinstance(answer, NoScriptError)]
    if unknown:
        # Redis restarted and lost its script cache. A script it did not know has changed nothing,
        # so exactly those calls are run again.
        for name in {calls[n].script for n in unknown}:
            redis.script_load(lua.source(name))
        for n, answer in zip(unknown, _trip(redis, [calls[n] for n in unknown]), strict=True):
            answers[n] = answer
    for answer in answers:
        if isinstance(answer, Exception):
            raise answer
    return answers


def _trip(redis: Redis, calls: Sequence[ScriptCall]) -> list[Any]:
    if len(calls) == 1:
        try:
            return [redis.evalsha(*_words(calls[0]))]
        except NoScriptError as error:
            return [error]
    pipe = redis.pipeline(transaction=False)
    for call in calls:
        pipe.evalsha(*_words(call))
    answers: list[Any] = pipe.execute(raise_on_error=False)
    return answers


def _words(call: ScriptCall) -> tuple[Any, ...]:
    """Arguments of EVALSHA: digest, number of keys, keys, arguments."""
    return _digest(lua.source(call.script)), len(call.keys), *call.keys, *call.args


@cache
def _digest(text: str) -> str:
    return sha1(text.encode(), usedforsecurity=False).hexdigest()
