"""Every export test runs on the whole zoo."""

import pytest

import graphens as ge
from tests.export.zoo import GRAPHS, HYPERGRAPHS


@pytest.fixture(params=GRAPHS)
def graph(request: pytest.FixtureRequest) -> ge.Graph:
    return GRAPHS[request.param]


@pytest.fixture(params=HYPERGRAPHS)
def hypergraph(request: pytest.FixtureRequest) -> ge.Hypergraph:
    return HYPERGRAPHS[request.param]
