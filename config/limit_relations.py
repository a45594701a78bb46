"""Relations between limits that hold in every process: settings check them."""

from __future__ import annotations

from config import limits


def check_limits() -> None:
    """Assert that limits which depend on each other agree."""
    _check_tables()
    _check_sockets()
    _check_tournaments()
    _check_services()


def _check_tables() -> None:
    assert limits.ACTION_TIME_MIN_MS <= limits.ACTION_TIME_MS <= limits.ACTION_TIME_MAX_MS
    assert limits.TIME_BANK_MS <= limits.TIME_BANK_MAX_MS
    assert max(limits.HAND_PAUSE_MS, limits.SHOWDOWN_MS) <= limits.PAUSE_MAX_MS
    assert limits.SWEEP_NOTED_EVERY_MS * 4 <= limits.BEAT_GAP_MS, "an idle room is no outage"
    assert limits.COMMAND_WAKE_MS <= limits.WAKE_LEASE_MS, "a lost bell costs at most a second"
    assert limits.DIRECTOR_WAIT_MS <= 1_000
    assert limits.DIRECTOR_WAIT_MS <= limits.STANDING_WAIT_MS, (
        "a resumed tournament rings its tables"
    )
    assert limits.INBOX_COMMANDS_PER_SEAT_MAX * limits.SEATS_MIN <= limits.INBOX_COMMANDS_MAX
    assert limits.COMMANDS_PENDING_MAX <= limits.RESULTS_PER_SEAT_MAX, (
        "answers outlive pending commands"
    )
    assert limits.TAIL_EVENTS_MAX <= limits.STREAM_EVENTS_MAX


def _check_sockets() -> None:
    assert limits.CLIENT_MESSAGES_PER_S_MAX <= limits.CLIENT_MESSAGES_BURST_MAX
    assert limits.CLIENT_MESSAGES_BURST_MAX <= limits.USER_MESSAGES_BURST_MAX
    assert limits.CLIENT_OVERRUNS_MAX + limits.CLIENT_MESSAGES_BURST_MAX < 1_000, (
        "1,000 at once disconnect"
    )
    assert limits.INBOX_CUTS_PER_SEAT_MAX < limits.INBOX_COMMANDS_PER_SEAT_MAX
    assert limits.INBOX_COMMANDS_PER_SEAT_MAX <= limits.COMMANDS_PENDING_MAX
    assert limits.RECENT_EVENTS_MAX <= limits.TAIL_EVENTS_MAX < limits.SOCKET_QUEUE_MESSAGES_MAX


def _check_tournaments() -> None:
    assert 2 <= limits.SEATS_MIN <= limits.SEATS_MAX
    assert limits.STACK_MAX_CHIPS * limits.ENTRIES_MAX < 2**53, "all chips fit a JavaScript number"
    assert limits.SPIN_DRUM_MS < limits.TABLE_OVERDUE_MS, "a turning spin drum is not overdue"
    assert limits.WAKE_RING_AGAIN_MS * 5 <= limits.TABLE_OVERDUE_MS, (
        "lost bells do not make a table overdue"
    )
    assert limits.TOURNAMENT_TICK_MS * 2 < limits.TOURNAMENT_GAP_MS, (
        "one late tick is not an outage"
    )


def _check_services() -> None:
    assert limits.ANONYMOUS_SOCKETS_PER_PROCESS_MAX <= limits.SOCKETS_PER_PROCESS_MAX // 2, (
        "players keep half"
    )
    assert limits.SNAPSHOTS_KEPT_FOR_PLAYERS < limits.SNAPSHOTS_AT_ONCE_MAX
    assert limits.USER_MESSAGES_BURST_MAX <= limits.ADDRESS_MESSAGES_BURST_MAX, (
        "many users may share an address"
    )
    assert limits.LOGIN_LOCK_S < 24 * 3600, "pruning spares rows that lock an account"
    assert limits.LOGINS_PER_MINUTE * 60 <= limits.PRUNED_AT_ONCE_MAX, (
        "pruning keeps pace with log-ins"
    )
    assert limits.TRANSFER_MAX_CENTS < 2**53
    assert limits.PROMOTIONS_START_CENTS <= limits.TRANSFER_MAX_CENTS
    assert limits.LOGINS_BURST_PER_ADDRESS < limits.LOGINS_BURST, (
        "one address never spends the shared burst"
    )
    assert limits.LOGINS_PER_MINUTE_PER_ADDRESS < limits.LOGINS_PER_MINUTE
    assert limits.TABLES_TOGETHER_MAX <= limits.TABLES_PER_BELL_MAX
    assert limits.TASK_SOFT_LIMIT_S < limits.TASK_HARD_LIMIT_S
    assert limits.REDIS_CONNECT_TIMEOUT_S <= limits.REDIS_TIMEOUT_S < limits.BELL_EXPIRES_S
    assert (
        limits.BROKER_AGAIN_FIRST_S <= limits.BROKER_AGAIN_MAX_S <= limits.DIRECTOR_WAIT_MS / 1_000
    )
    assert (
        limits.DATABASE_SILENT_S + limits.DATABASE_ASK_EVERY_S * limits.DATABASE_ASKS_MAX
    ) * 1_000 < (limits.DATABASE_IDLE_TRANSACTION_MS), (
        "locks of a vanished client are released before the idle timeout"
    )
    assert limits.PICTURE_MAX_BYTES + 40_000 <= limits.BODY_MAX_BYTES, (
        "a picture fits a request with its form"
    )
    assert limits.BODY_MAX_BYTES * 8 <= limits.BODIES_HELD_MAX_BYTES, (
        "one large request leaves space for others"
    )
    assert limits.ACCEPTS_PER_TURN < limits.LISTEN_BACKLOG, (
        "a burst waits in the kernel, not in the loop"
    )
