"""Print the rates of all signs: `python -m tests.detection`."""

from __future__ import annotations

from argparse import ArgumentParser

from tests.detection.rates import measured, row


def main() -> None:
    """Play rooms with planted colluders and print a table for each number of hands."""
    parser = ArgumentParser(prog="python -m tests.detection")
    parser.add_argument(
        "--first", type=int, default=2_001, help="seeds below 1000 chose the thresholds"
    )
    parser.add_argument("--rooms", type=int, default=20)
    parser.add_argument("--hands", type=int, default=20_000)
    given = parser.parse_args()
    looks = (given.hands // 4, given.hands // 2, given.hands)
    found = measured(range(given.first, given.first + given.rooms), looks)
    for hands, counts in found.items():
        print(f"\nAfter {hands} hands in each of {given.rooms} rooms:\n")
        print("| sign | false alarms (95 %) | hits (95 %) | highest innocent score |")
        print("|---|---|---|---|")
        for name, count in counts.items():
            print(row(name, count))


if __name__ == "__main__":
    main()
