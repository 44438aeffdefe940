"""Run the published tables again and write docs/reproduction.md: ``python -m benchmarks.papers --help``."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from threadpoolctl import threadpool_limits

from . import page, pictures, runner
from .claims import CLAIMS, run_claims
from .page import write_page
from .pictures import draw_pictures
from .published import TABLES
from .runner import run_table


def _number(given: str) -> int:
    number = int(given)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{given} was given; expected 1 or more")
    return number


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.papers", description=__doc__)
    rows = sorted({data for table in TABLES.values() for data in table.rows})
    parser.add_argument(
        "--table", action="append", choices=[*TABLES, *CLAIMS], help="only this table or figure, afresh; repeatable"
    )
    parser.add_argument("--data", choices=rows, help="only this row of the tables, afresh")
    parser.add_argument("--runs", type=_number, help="so many runs of every cell, afresh (default: 20)")
    parser.add_argument("--quick", action="store_true", help="two runs of every cell, afresh")
    parser.add_argument("--again", action="store_true", help="afresh, and what differs replaces what is kept")
    parser.add_argument("--pictures", action="store_true", help="draw the pictures anew")
    parser.add_argument("--page", action="store_true", help="only write the page and its tables from what is kept")
    parser.add_argument("--folder", help="the folder with the published files (default: GRAPHENS_DATA)")
    parser.add_argument("--results", type=Path, help="another folder for values, page and pictures")
    return parser


def main(arguments: list[str] | None = None) -> None:
    """Run what is asked for, or all that is missing, and write the page.

    What is named (a table, a row, a number of runs) is run afresh and shown beside what is kept.
    """
    parser = _parser()
    args = parser.parse_args(arguments)
    _set_folders(args.folder, args.results)
    threadpool_limits(1)  # hundreds of small eigenproblems: threads only wait for each other
    asked = [] if args.page else args.table or [*TABLES, *([] if args.data else CLAIMS)]
    tables = [name for name in asked if name in TABLES and args.data in (None, *TABLES[name].rows)]
    claims = [name for name in asked if name in CLAIMS]
    if not (args.page or tables or claims):
        parser.error(f"{', '.join(args.table)} has no row {args.data!r}; its rows: {', '.join(TABLES[asked[0]].rows)}")
    afresh = bool(args.table or args.data or args.runs or args.quick or args.again)
    for name in tables:
        runs = args.runs or (2 if args.quick else TABLES[name].runs)
        if not run_table(name, runs, args.data, afresh=afresh, replace=args.again) and args.data:
            sys.exit(1)
    run_claims(claims, again=afresh)
    if args.pictures or not (afresh or args.page):
        draw_pictures(again=args.pictures)
    write_page()
    print(f"wrote {page.PAGE}")


def _set_folders(data: str | None, results: Path | None) -> None:
    if data is not None:
        os.environ["GRAPHENS_DATA"] = data
    if results is not None:
        runner.RESULTS, page.PAGE = results, results / "reproduction.md"
        pictures.FOLDER = page.FOLDER = results / "images"
        pictures.FOLDER.mkdir(parents=True, exist_ok=True)


if __name__ == "__main__":
    main()
