"""Write docs/rules.md; `--check` fails when it is stale or a rule has no test or function."""

from __future__ import annotations

import sys

from tests.rules import live
from tests.rules.book import sections
from tests.rules.page import PAGE, missing, page, unknown
from tests.rules.shown import by_rule


def main(arguments: list[str]) -> int:
    """Return 0 without findings; print findings to standard error."""
    shown, functions = by_rule(), live.by_rule()
    wrong = [f"{rule.rule_id} has no test: {rule.line}" for rule in missing(shown)]
    wrong += [f"{rule.rule_id} has no live function: {rule.line}" for rule in missing(functions)]
    wrong += [f"no such rule: {place}" for place in (*unknown(shown), *unknown(functions))]
    fresh = page(sections(), shown, functions)
    if "--check" not in arguments:
        PAGE.write_text(fresh)
    elif not PAGE.exists() or PAGE.read_text() != fresh:
        wrong.append("docs/rules.md is not current: python -m tests.rules")
    for line in wrong:
        sys.stderr.write(f"{line}\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
