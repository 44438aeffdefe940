"""The table of the rules for the number of clusters."""

import numpy as np
import pytest

import graphens as ge
from graphens.choose.choice import rule_table


def test_where_no_gap_is_clear_the_row_that_decided_has_the_ring() -> None:
    rng, truth = np.random.default_rng(5), np.random.default_rng(5).integers(0, 4, 300)
    columns = [
        np.where(rng.random(300) < 0.35, rng.integers(0, 5, 300), truth if t % 2 else truth // 2 * 2) for t in range(7)
    ]
    with pytest.warns(ge.errors.DegenerateWarning, match="No number of clusters stands out"):
        choice = ge.consensus(np.column_stack(columns), seed=0).choice
    assert choice is not None
    assert choice.kind == "ambiguous"
    fit, gap = rule_table(choice).rows
    assert (fit.rule, gap.rule) == ("fit", "eigengap")
    assert fit.k == choice.k == max(fit.shades, key=lambda k: fit.shades[k])
    assert gap.k == max(gap.shades, key=lambda k: gap.shades[k])
