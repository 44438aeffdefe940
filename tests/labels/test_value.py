"""One way to be frozen: every value, its copies and its pickles."""

import contextlib
import copy
import inspect
import pickle
import threading
from collections.abc import Mapping

import numpy as np
import pytest
from plain import random_ensemble
from scipy import sparse

import graphens as ge
from graphens.errors import InputError
from graphens.labels.names import Names
from graphens.labels.value import Value, remembered

COPIES = [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))]
LABELS = [[0, 5, 1], [0, 5, -1], [1, 6, 1], [1, 7, 2]]
VALUES = {
    "ensemble": lambda: ge.Ensemble(LABELS, object_names=list("abcd")),
    "soft": lambda: ge.Ensemble.from_memberships([[[0.9, 0.1], [0.4, 0.6]]]),
    "hypergraph": lambda: ge.hypergraph(LABELS),
    "graph": lambda: ge.Graph([[0, 1], [1, 0]], names=["a", "b"]),
    "coassociation": lambda: ge.coassociation(ge.Ensemble(LABELS)),
    "bipartite": lambda: ge.bipartite(ge.Ensemble(LABELS)),
    "dendrogram": lambda: ge.link(ge.coassociation(ge.Ensemble(LABELS)), "average"),
    "partition": lambda: ge.partition(ge.coassociation(ge.Ensemble(LABELS)), 2, partitioner="spectral", seed=0),
    "consensus": lambda: ge.eac(ge.Ensemble(LABELS), 2),
    "names": lambda: Names(("x", 2), np.array(["a", "b"])),
}


def arrays_within(value):
    """Every array that can be reached from a value."""
    if isinstance(value, np.ndarray):
        yield value
    elif sparse.issparse(value):
        yield from (value.data, value.indices, value.indptr)
    elif isinstance(value, tuple):
        for part in value:
            yield from arrays_within(part)
    elif isinstance(value, Value):
        for part in vars(value).values():
            yield from arrays_within(part)


@pytest.mark.parametrize("make", VALUES.values(), ids=VALUES)
@pytest.mark.parametrize("how", [lambda value: value, *COPIES], ids=["itself", "copy", "deepcopy", "pickle"])
def test_nothing_in_a_value_or_its_copies_can_be_written_to(make, how):
    value = how(make())
    found = list(arrays_within(value))
    assert found
    assert not any(array.flags.writeable for array in found)
    for name in [*vars(value), "something_new"]:
        with pytest.raises(AttributeError, match="immutable"):
            setattr(value, name, 0)
        with pytest.raises(AttributeError, match="cannot be deleted"):
            delattr(value, name)


def public(value):
    return [name for name in dir(value) if not name.startswith("_")]


NAMES = {  # what Tab shows; a new name is added here on purpose
    "ensemble": """absent append categories chains cluster_names cluster_sizes codes collapse drop from_draws
        from_memberships from_partitions from_profiles has_missing index_name labels load memberships n_clusters
        n_missing n_objects n_partitions object_names object_weights of offsets partition_names plot present reweight
        save take to_frame vertex_names weights""",
    "graph": """adjacency balance components contract cut degree edges explore from_igraph from_networkx kind n_edges
        n_vertices names neighbors of plot product read roles save spanning_forest subgraph theta threshold to_igraph
        to_networkx to_scipy vertex_weights write""",
    "hypergraph": """balance connectivity cut from_hif from_hypernetx from_xgi hyperedge_names hyperedge_weights
        incidence km1 n_hyperedges n_vertices partition plot read save sizes to_frame to_hif to_scipy vertex_names
        vertex_weights write""",
    "dendrogram": """cut cut_at cut_longest_lifetime explore heights index leaf_weights levels lifetimes
        longest_lifetime merges n_leaves n_objects names plot save to_networkx to_newick to_scipy""",
    "partition": "balance cut details k labels partitioner search seed",
    "consensus": """assign by_size card changes choice cluster_names cohesion confidence constrained contradiction
        dendrogram details ensemble explain explore graph k labels membership method models_membership named names
        network options plot report
        save score sizes to_frame to_igraph to_networkx top tree_of_clusters trials uncertain update
        vertex_labels vertices why""",
}


@pytest.mark.parametrize("kind", NAMES)
def test_tab_shows_what_users_may_use_and_nothing_else(kind):
    value = VALUES[kind]()
    assert public(value) == sorted(NAMES[kind].split())
    for name in set(public(type(value))) - {
        name for base in type(value).__mro__ for name in inspect.get_annotations(base)
    }:
        assert inspect.getdoc(getattr(type(value), name)), name


@pytest.mark.parametrize("make", VALUES.values(), ids=VALUES)
def test_nothing_that_a_user_sees_can_change_a_value(make):
    value = make()
    for name in public(value):  # what is worked out on use is there before we compare
        getattr(value, name)
    fields, arrays = dict(vars(value)), [(array, array.copy()) for array in arrays_within(value)]
    for name in public(value):
        found = getattr(value, name)
        assert not any(array.flags.writeable for array in arrays_within(found)), name
        if isinstance(found, Mapping):
            for change in ("update", "pop", "clear", "setdefault", "popitem"):
                with pytest.raises(TypeError, match="read-only"):
                    getattr(found, change)({})
            with pytest.raises(TypeError, match="read-only"):
                found["k"] = 7
        for given in ({}, *({field: np.ones(3)} for field in fields)):
            if callable(found) and name not in {"plot", "report", "save", "write", "load"}:
                with contextlib.suppress(Exception):
                    found(**given)
    assert all(vars(value)[name] is kept for name, kept in fields.items())
    assert all(np.array_equal(array, kept) for array, kept in arrays)


def test_options_and_details_are_read_only_and_the_users_arrays_stay_theirs():
    given = np.ones((4, 2))
    made = Counted._from_fields(options={"X": given, "deep": {"a": np.zeros(2)}})
    assert given.flags.writeable
    assert not made.options["X"].flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        made.options["deep"]["a"][0] = 1
    with pytest.raises(TypeError, match="read-only"):
        made.options["deep"]["b"] = 1
    for how in COPIES:
        again = how(made).options
        assert again.keys() == made.options.keys()
        with pytest.raises(TypeError, match="read-only"):
            again["deep"]["b"] = 1


def test_replace_exchanges_fields_and_knows_their_names():
    e = ge.Ensemble(LABELS)
    assert e._replace(weights=np.array([1.0, 2.0, 3.0])) == ge.Ensemble(LABELS, weights=[1, 2, 3])
    with pytest.raises(InputError, match=r"no field wieghts; expected some of categories, codes"):
        e._replace(wieghts=np.ones(3))


class Counted(Value):
    def __init__(self):
        self._set_fields(calls=[])

    @remembered
    def answer(self):
        """The answer."""
        self.calls.append(1)
        return np.arange(3)


def test_remembered_once_and_read_only():
    value = Counted()
    assert value.answer is value.answer
    assert (len(value.calls), value.answer.flags.writeable) == (1, False)
    assert Counted.answer.__doc__ == "The answer."


@pytest.mark.parametrize("how", COPIES)
def test_what_is_remembered_is_no_part_of_copies_pickles_and_equality(how):
    e = ge.Ensemble(np.array(LABELS * 50))
    size, fields = len(pickle.dumps(e)), set(e.__getstate__())
    e.collapse(), e.present, e.offsets, e.n_missing
    assert set(vars(e)) > fields
    again = how(e)
    assert set(vars(again)) == fields
    assert again == e
    assert len(pickle.dumps(e)) == size


def test_collapse_is_found_once():
    e = ge.Ensemble(np.array(LABELS * 50))
    (micro, index), (again, index_again) = e.collapse(), e.collapse()
    assert micro is again
    assert index is index_again
    assert micro.collapse()[0] is micro


@pytest.mark.filterwarnings("ignore:Column:graphens.errors.GraphensWarning")
def test_distinct_rows_are_their_own_collapse_and_cost_nothing_to_remember():
    e = ge.Ensemble(np.arange(1000)[:, None])
    assert e.collapse()[0] is e
    assert not any(array.size > 1000 for array in arrays_within(tuple(vars(e).values())))
    soft = ge.Ensemble.from_memberships([[[0.9, 0.1], [0.4, 0.6]]])
    assert soft.collapse()[0].memberships is None


def test_a_large_collapse_is_made_again_rather_than_held(monkeypatch):
    monkeypatch.setattr("graphens.labels.ensemble._SMALL", 800)
    labels = np.append(np.arange(900), np.arange(100))[:, None]
    e = ge.Ensemble(labels)
    (micro, index), (again, _) = e.collapse(), e.collapse()
    assert micro == again
    assert micro is not again
    assert np.array_equal(micro.labels[index], e.labels)


def test_what_follows_from_the_codes_survives_other_names_and_weights():
    rng = np.random.default_rng(5)
    for _ in range(100):
        e = random_ensemble(rng, k=2)
        e.collapse(), e.n_missing, e.present
        other = e._replace(object_weights=rng.random(e.n_objects) + 0.1)
        plain = pickle.loads(pickle.dumps(other))  # remembers nothing
        assert other.collapse()[0] == plain.collapse()[0]
        assert np.array_equal(other.collapse()[1], plain.collapse()[1])
        weights = np.append(1.0, np.zeros(e.n_partitions - 1))
        assert np.array_equal(e.reweight(weights).present, e.codes[0] != e.absent)
        shuffled = e.take(objects=rng.permutation(e.n_objects))
        assert shuffled.collapse()[0] == pickle.loads(pickle.dumps(shuffled)).collapse()[0]


def test_threads_share_one_collapse():
    e = ge.Ensemble(np.random.default_rng(0).integers(0, 3, (20000, 3)))
    start, found = threading.Barrier(8), []

    def work():
        start.wait()
        found.append(e.collapse())

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({(id(micro), id(index)) for micro, index in found}) == 1
