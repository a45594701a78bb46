"""Prompt stop of a worker: a signal ends its wait, and it asks the broker for a short time."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator

import pytest
from kombu.asynchronous import Hub

from config.celery import app
from config.prompt_stop import PromptStop

STOP_WITHIN_S = 0.2
"""Time in which a worker without a task in hand should be gone."""


@pytest.fixture
def hub() -> Iterator[Hub]:
    made = Hub()
    before = signal.set_wakeup_fd(-1)
    handler = signal.signal(signal.SIGUSR1, lambda *_: None)
    try:
        yield made
    finally:
        signal.signal(signal.SIGUSR1, handler)
        signal.set_wakeup_fd(before)
        made.close()


def test_a_signal_ends_the_wait_for_messages(hub: Hub) -> None:
    step = PromptStop(None)
    step.register_with_event_loop(None, hub)
    assert not hub.poller.poll(0)
    os.kill(os.getpid(), signal.SIGUSR1)
    began_s = time.monotonic()
    assert hub.poller.poll(30), "the loop waits on"
    assert time.monotonic() - began_s < 20
    next(hub.create_loop())
    assert not hub.poller.poll(0), "one signal wakes the loop once"


def test_a_broker_away_for_a_while_leaves_the_loop_awake_to_signals(hub: Hub) -> None:
    step = PromptStop(None)
    step.register_with_event_loop(None, hub)
    hub.reset()
    step.register_with_event_loop(None, hub)
    os.kill(os.getpid(), signal.SIGUSR1)
    assert hub.poller.poll(30), "the loop waits on"


def test_every_worker_has_the_step_and_waits_shortly_for_the_broker() -> None:
    assert PromptStop in app.steps["consumer"]
    assert app.conf.broker_transport_options["polling_interval"] < STOP_WITHIN_S
