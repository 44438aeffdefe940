"""Run the published tables again and write docs/reproduction.md: ``python -m benchmarks.papers --help``."""

from __future__ import annotations

import argparse

from .claims import CLAIMS, run_claims
from .page import write_page
from .pictures import draw_pictures
from .published import TABLES
from .reasons import run_reasons
from .runner import run_table


def _number(given: str) -> int:
    number = int(given)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{given} was given; expected 1 or more")
    return number


def main(arguments: list[str] | None = None) -> None:
    """Fill the tables asked for, check the figures, make the experiments, write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.papers", description=__doc__)
    known = [*TABLES, *CLAIMS]
    parser.add_argument(
        "--table", action="append", choices=known, help="only this table or figure; repeatable"
    )
    rows = sorted({data for table in TABLES.values() for data in table.rows})
    parser.add_argument("--data", choices=rows, help="only this row of the tables")
    parser.add_argument("--runs", type=_number, help="runs per cell (default: 20)")
    parser.add_argument("--quick", action="store_true", help="two runs per cell")
    parser.add_argument("--again", action="store_true", help="check figures anew that were checked before")
    parser.add_argument("--pictures", action="store_true", help="draw the pictures anew")
    parser.add_argument("--page", action="store_true", help="only write the page from what is kept")
    args = parser.parse_args(arguments)
    asked = [] if args.page else args.table or known
    tables = [name for name in asked if name in TABLES]
    for name in tables:
        run_table(name, args.runs or (2 if args.quick else TABLES[name].runs), args.data)
    run_claims([name for name in asked if name in CLAIMS], again=args.again)
    run_reasons(tables)
    if not args.page:
        draw_pictures(again=args.pictures)
    write_page()


if __name__ == "__main__":
    main()
