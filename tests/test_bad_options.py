"""Options of the wrong kind: an error of ours that says what was given and what to do."""

import pickle
from collections.abc import Callable

import numpy as np
import pytest

import graphens as ge
from graphens.errors import InputError

E = ge.Ensemble.from_partitions([list("1112233"), list("2223311"), list("3322111")])

CALLS: dict[str, tuple[Callable[[], object], str]] = {
    "hne": (lambda: ge.hne(E, 3, theta="a"), "theta"),
    "vkm": (lambda: ge.vkm(E, theta=None), "theta"),
    "lwea": (lambda: ge.lwea(E, 3, entropy_scale="a"), "entropy_scale"),
    "mixture": (lambda: ge.mixture(E, 3, tol="a"), "tol"),
    "compare": (lambda: ge.compare(E, "a", methods=["vote"]), "k = 'a'"),
    "members": (lambda: ge.members(E, "a"), "k = 'a'"),
    "lwgp": (lambda: ge.lwgp(E, 3, entropy_scale=0), "entropy_scale = 0"),
    "leiden": (lambda: ge.leiden(E, resolution="a"), "resolution"),
    "option of a partitioner": (lambda: ge.partition(ge.metagraph(E), 2, foo=1), "no option foo"),
    "option through a method": (lambda: ge.cspa(E, 3, partitioner_options={"foo": 1}), "imbalance"),
    "partitioner without seed": (lambda: ge.cspa(E, 3, partitioner=lambda g, k: [0]), "takes no seed"),
    "stack of tables": (lambda: ge.consensus(np.zeros((2, 2, 2))), "n_objects × n_partitions"),
    "estimator": (lambda: ge.ConsensusClustering("a").fit(np.eye(30)), "n_clusters"),
    "rows of different lengths": (lambda: ge.generate([[1, 2], [3]]), "rows of different lengths"),
    "rows of lists and numbers": (lambda: ge.generate([[[1, 2], 3], ["a"]]), "not a table|lengths"),
    "progress that is an array": (lambda: ge.generate(np.eye(4), progress=np.ones(3)), "progress = "),
    "more workers than there are": (lambda: ge.generate(np.eye(4), 2, k=2, n_jobs=1e300), "n_jobs = "),
    "a method that is an array": (lambda: ge.consensus(E, 2, np.arange(3)), "arange|array|method"),
    "labels without a dimension": (lambda: ge.measures.rand(np.array(5), [0, 1]), "expected a label vector"),
    "labels that are none": (lambda: ge.match([0, 1], True), "True was given"),
    "a measure that is a list": (lambda: ge.measures.pairwise(E, []), r"measure = \[\]"),
    "a similarity that is a dict": (lambda: ge.metagraph(E, similarity={}), "similarity = {}"),
    "a linkage that is a set": (lambda: ge.link(ge.metagraph(E), {1}), "linkage = {1}"),
    "infinite weight": (lambda: ge.Ensemble([[0, 1]], weights=[np.inf, 1]), "inf was given"),
}


FACTS: dict[str, tuple[Callable[[], object], str, object]] = {
    "a number": (lambda: ge.hne(E, 3, theta="a"), "theta", "a"),
    "a number too many": (lambda: ge.mcla(E, 99), "k", 99),
    "a word": (lambda: ge.consensus(E, 3, method="lwpg"), "method", "lwpg"),
    "a partitioner": (lambda: ge.cspa(E, 3, partitioner="mettis"), "partitioner", "mettis"),
    "a base": (lambda: ge.generate(np.eye(4), base="kmean"), "base", "kmean"),
    "a share": (lambda: ge.monti(np.eye(4), [2], share=0), "share", 0),
    "a rule that is not needed": (lambda: ge.consensus(E, 2, rule="eigengapp"), "rule", "eigengapp"),
    "a rule of a method": (lambda: ge.consensus(E, 2, "vote", rule="eigengapp"), "rule", "eigengapp"),
    "a rule": (lambda: ge.choose_k(E, rule="best"), "rule", "best"),
}


@pytest.mark.parametrize("name", FACTS)
def test_errors_about_a_parameter_have_its_facts(name: str) -> None:
    call, parameter, given = FACTS[name]
    with pytest.raises(ge.GraphensError) as caught:
        call()
    error = caught.value
    assert (error.parameter, error.given) == (parameter, given)
    assert error.expected
    assert f"{parameter} = {given!r} was given" in str(error)
    assert f"; expected {error.expected}." in str(error)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.parameter, again.expected) == (str(error), parameter, error.expected)


def test_an_error_takes_the_name_that_the_user_wrote() -> None:
    error = InputError.about("k", np.int64(0), "1 to 7", advice=" Did you mean 1?")
    assert str(error) == "k = 0 was given; expected 1 to 7. Did you mean 1?"
    option = error.named("--clusters")
    assert str(option) == "--clusters 0 was given; expected 1 to 7. Did you mean 1?"
    assert (type(option), option.parameter, option.advice) == (InputError, "--clusters", "Did you mean 1?")
    assert InputError("All is wrong.").parameter is None


@pytest.mark.parametrize("name", sorted(CALLS))
def test_the_error_says_what_was_given(name: str) -> None:
    call, words = CALLS[name]
    with pytest.raises(ge.GraphensError, match=words):
        call()
