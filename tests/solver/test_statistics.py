"""Intervals and tests against published examples, and their coverage."""

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from solver.statistics import Interval, Mean, clustered_mean, mean_of, paired_difference, share_of

NEWCOMBE = [
    (81, 263, (0.2553, 0.3662), (0.2527, 0.3676)),
    (15, 148, (0.0624, 0.1605), (0.0578, 0.1617)),
    (0, 20, (0.0000, 0.1611), (0.0000, 0.1684)),
    (1, 29, (0.0061, 0.1718), (0.0009, 0.1776)),
]
"""Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998), table I,
methods 3 and 5."""


@pytest.mark.parametrize(("hits", "trials", "wilson", "exact"), NEWCOMBE)
def test_intervals_of_a_share_as_published(
    hits: int, trials: int, wilson: tuple[float, float], exact: tuple[float, float]
) -> None:
    found = share_of(hits, trials)
    assert found.share == hits / trials
    assert (found.wilson.low, found.wilson.high) == pytest.approx(wilson, abs=5e-5)
    assert (found.exact.low, found.exact.high) == pytest.approx(exact, abs=5e-5)


def test_wilson_by_its_formula() -> None:
    z, share, trials = 1.959963984540054, 9324 / 10000, 10000
    centre = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    reach = z * math.sqrt(share * (1 - share) / trials + (z / (2 * trials)) ** 2) / (1 + z * z / trials)
    found = share_of(9324, 10000).wilson
    assert (found.low, found.high) == pytest.approx((centre - reach, centre + reach), abs=1e-12)


def test_without_trials_nothing_is_known() -> None:
    found = share_of(0, 0)
    assert found.share is None
    assert found.wilson == found.exact == Interval(0.0, 1.0)
    assert found.to_json() == {"share": None, "low": 0.0, "high": 1.0, "exact_low": 0.0, "exact_high": 1.0}


@pytest.mark.parametrize(("hits", "trials"), [(-1, 3), (4, 3), (1, 0)])
def test_no_share(hits: int, trials: int) -> None:
    with pytest.raises(ValueError, match="no share"):
        share_of(hits, trials)


@given(st.integers(0, 2000), st.integers(0, 2000))
def test_a_share_lies_in_its_intervals_and_its_complement_mirrors_it(hits: int, misses: int) -> None:
    found, other = share_of(hits, hits + misses), share_of(misses, hits + misses)
    for interval, mirrored in ((found.wilson, other.wilson), (found.exact, other.exact)):
        assert 0 <= interval.low <= interval.high <= 1
        assert (interval.low, interval.high) == pytest.approx((1 - mirrored.high, 1 - mirrored.low), abs=1e-9)
        if found.share is not None:
            assert interval.low - 1e-12 <= found.share <= interval.high + 1e-12


def test_coverage_of_a_share() -> None:
    trials = 60
    intervals = [share_of(hits, trials) for hits in range(trials + 1)]
    exact, wilson = [], []
    for true in np.linspace(0.02, 0.98, 49):
        chance = binom.pmf(np.arange(trials + 1), trials, true)
        exact.append(
            sum(p for p, one in zip(chance, intervals, strict=True) if one.exact.low <= true <= one.exact.high)
        )
        wilson.append(
            sum(p for p, one in zip(chance, intervals, strict=True) if one.wilson.low <= true <= one.wilson.high)
        )
    assert min(exact) >= 0.95
    assert np.mean(wilson) == pytest.approx(0.95, abs=0.01)
    assert min(wilson) > 0.85


def test_interval_of_a_paired_difference_as_published() -> None:
    # What the authors' function `diffpropci.mp(b = 40, c = 20, n = 160)` of the R package PropCIs prints.
    found = paired_difference(20, 40, 160)
    assert found.difference == -0.125
    assert (found.interval.low, found.interval.high) == pytest.approx((-0.21601726, -0.03089632), abs=5e-9)


def test_mcnemar_by_hand() -> None:
    assert paired_difference(1, 9, 50).p_value == pytest.approx(2 * (1 + 10) / 2**10)
    assert paired_difference(9, 1, 50).p_value == pytest.approx(2 * (1 + 10) / 2**10)
    assert paired_difference(0, 5, 50).p_value == pytest.approx(2 / 2**5)
    assert paired_difference(4, 4, 50).p_value == pytest.approx(1.0)
    assert paired_difference(0, 0, 50).p_value == 1.0


def test_without_pairs_the_difference_is_unknown() -> None:
    found = paired_difference(0, 0, 0)
    assert found.difference is None
    assert (found.interval, found.p_value) == (Interval(-1.0, 1.0), 1.0)


@pytest.mark.parametrize(("gained", "lost", "trials"), [(-1, 0, 3), (0, -1, 3), (2, 2, 3)])
def test_no_pairs(gained: int, lost: int, trials: int) -> None:
    with pytest.raises(ValueError, match="can't be"):
        paired_difference(gained, lost, trials)


@given(st.integers(0, 300), st.integers(0, 300), st.integers(0, 3000))
def test_exchanging_the_two_shares_changes_the_sign(gained: int, lost: int, same: int) -> None:
    found = paired_difference(gained, lost, gained + lost + same)
    other = paired_difference(lost, gained, gained + lost + same)
    assert (found.interval.low, found.interval.high) == pytest.approx((-other.interval.high, -other.interval.low))
    assert found.p_value == pytest.approx(other.p_value)
    assert 0 <= found.p_value <= 1
    assert -1 <= found.interval.low <= found.interval.high <= 1
    if found.difference is not None:
        assert found.interval.low <= found.difference <= found.interval.high


@pytest.mark.parametrize("chances", [(0.07, 0.0), (0.03, 0.02), (0.004, 0.001), (0.3, 0.2)])
def test_coverage_of_a_paired_difference(chances: tuple[float, float]) -> None:
    gained, lost = chances
    source = np.random.default_rng(20)
    tables, times = np.unique(
        source.multinomial(500, [gained, lost, 1 - gained - lost], size=3000), axis=0, return_counts=True
    )
    covered = 0
    for (plus, minus, _), count in zip(tables.tolist(), times.tolist(), strict=True):
        interval = paired_difference(plus, minus, 500).interval
        covered += count * (interval.low <= gained - lost <= interval.high)
    assert covered / 3000 > 0.935


def test_mean_as_published() -> None:
    # Student's own example (Biometrika 6, 1908), hours of sleep gained, in tenths; R's `t.test` has the interval.
    hours = [12, 24, 13, 13, 0, 10, 18, 8, 46, 14]
    found = mean_of({value: hours.count(value) for value in hours})
    assert found is not None
    assert found.interval is not None
    assert (found.count, found.mean) == (10, 15.8)
    assert found.mean / (found.error or 0) == pytest.approx(4.0621, abs=5e-5)
    assert (found.interval.low, found.interval.high) == pytest.approx((7.001142, 24.598858), abs=5e-7)


def test_mean_of_nothing_and_of_one() -> None:
    assert mean_of({}) is None
    assert mean_of({3: 0}) is None
    found = mean_of({7: 1})
    assert found is not None
    assert found.to_json() == {"count": 1, "mean": 7.0, "error": None, "low": None, "high": None}


@given(st.lists(st.integers(-40, 260), min_size=2, max_size=60))
def test_mean_is_that_of_the_values(values: list[int]) -> None:
    found = mean_of({value: values.count(value) for value in values})
    assert found is not None
    assert found.mean == pytest.approx(statistics.mean(values))
    assert found.error == pytest.approx(statistics.stdev(values) / math.sqrt(len(values)), abs=1e-12)


def test_sums_are_exact_for_many_values() -> None:
    found = mean_of({10**9: 10**9, 10**9 + 1: 10**9})
    assert found is not None
    assert found.mean == 10**9 + 0.5
    assert found.error == pytest.approx(0.5 / math.sqrt(2e9))


def test_coverage_of_a_mean() -> None:
    source = np.random.default_rng(21)
    samples = source.binomial(30, 0.3, size=(2000, 40))
    covered = 0
    for sample in samples:
        values, times = np.unique(sample, return_counts=True)
        found = mean_of(dict(zip(values.tolist(), times.tolist(), strict=True)))
        assert found is not None
        assert found.interval is not None
        covered += found.interval.low <= 9 <= found.interval.high
    assert covered / 2000 == pytest.approx(0.95, abs=0.015)


def test_clusters_of_one_are_plain_values() -> None:
    values = np.array([3, 5, 5, 8, 13])
    plain = mean_of({3: 1, 5: 2, 8: 1, 13: 1})
    found = clustered_mean(values, np.ones(5, dtype=np.int64))
    assert plain is not None
    assert found is not None
    assert (found.count, found.mean) == (plain.count, plain.mean)
    assert found.error == pytest.approx(plain.error)
    assert found.interval is not None
    assert plain.interval is not None
    assert (found.interval.low, found.interval.high) == pytest.approx((plain.interval.low, plain.interval.high))


def test_copies_within_a_cluster_add_nothing() -> None:
    values = np.array([3.0, 5, 5, 8, 13])
    one, ten = (clustered_mean(times * values, np.full(5, times)) for times in (1, 10))
    assert one is not None
    assert ten is not None
    assert (ten.count, ten.mean) == (50, one.mean)
    assert ten.error == pytest.approx(one.error)


def test_clusters_of_unequal_size() -> None:
    """The mean is over values; the error is that of the ratio of two means, by hand."""
    found = clustered_mean(np.array([2.0, 9.0]), np.array([1, 2]))
    assert found is not None
    mean = 11 / 3
    assert found.mean == pytest.approx(mean)
    assert found.error == pytest.approx(math.sqrt(2 * ((2 - mean) ** 2 + (9 - 2 * mean) ** 2)) / 3)


def test_no_clusters_and_a_single_one() -> None:
    assert clustered_mean(np.zeros(0), np.zeros(0, dtype=np.int64)) is None
    found = clustered_mean(np.array([6.0]), np.array([3]))
    assert found == Mean(3, 2.0, None, None)


def test_clustered_intervals_cover() -> None:
    """Values that share their cluster's chance are covered about 95 times in 100; taken for independent, far less."""
    generator = np.random.Generator(np.random.Philox(key=2))
    covered = 0
    for _ in range(2000):
        chances = generator.normal(size=30)
        values = chances[:, None] + 0.5 * generator.normal(size=(30, 4))
        found = clustered_mean(values.sum(axis=1), np.full(30, 4))
        assert found is not None
        assert found.interval is not None
        covered += found.interval.low < 0 < found.interval.high
    assert 1870 <= covered <= 1930
