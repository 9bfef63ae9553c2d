"""Shares, differences of shares and means, with intervals; knows no game.

Every interval is at 95 %. A share has two: Wilson's, whose coverage is near 95 % on the average, and the exact one of
Clopper and Pearson, whose coverage is never below it.

SciPy takes a second to load, so it is loaded where something is computed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Interval:
    """An interval that covers the true value with ``CONFIDENCE``."""

    low: float
    high: float


@dataclass(frozen=True)
class Share:
    """How many of some trials were hits.

    Attributes:
        hits: trials that were hits.
        trials: trials in all.
        wilson: Wilson's interval of the share.
        exact: the interval of Clopper and Pearson.
    """

    hits: int
    trials: int
    wilson: Interval
    exact: Interval

    @property
    def share(self) -> float | None:
        """Hits by trials; None without trials."""
        return self.hits / self.trials if self.trials else None

    def to_json(self) -> dict[str, Any]:
        """The share and both its intervals as JSON values."""
        return {
            "share": self.share,
            "low": self.wilson.low,
            "high": self.wilson.high,
            "exact_low": self.exact.low,
            "exact_high": self.exact.high,
        }


def share_of(hits: int, trials: int) -> Share:
    """The share of hits with its intervals; without trials it can be anything from 0 to 1.

    Sources: Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927); Clopper and
    Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial", Biometrika 26 (1934).

    Raises:
        ValueError: hits are not between 0 and trials.
    """
    from scipy.stats import binomtest

    if not 0 <= hits <= trials:
        raise ValueError(f"{hits} of {trials} is no share")
    if trials == 0:
        return Share(0, 0, Interval(0.0, 1.0), Interval(0.0, 1.0))
    test = binomtest(hits, trials)
    wilson, exact = (test.proportion_ci(CONFIDENCE, method) for method in ("wilson", "exact"))
    return Share(hits, trials, _clipped(wilson.low, wilson.high, 0.0), _clipped(exact.low, exact.high, 0.0))


def _clipped(low: float, high: float, least: float) -> Interval:
    return Interval(max(float(low), least), min(float(high), 1.0))


@dataclass(frozen=True)
class PairedDifference:
    """How two shares of the same trials differ.

    Attributes:
        gained: trials that are a hit of the second only.
        lost: trials that are a hit of the first only.
        trials: trials in all.
        interval: the adjusted Wald interval of the difference.
        p_value: of McNemar's exact test that the true shares are equal, two-sided.
    """

    gained: int
    lost: int
    trials: int
    interval: Interval
    p_value: float

    @property
    def difference(self) -> float | None:
        """The second share less the first; None without trials."""
        return (self.gained - self.lost) / self.trials if self.trials else None

    def to_json(self) -> dict[str, Any]:
        """The difference, its interval and the test as JSON values."""
        return {
            "difference": self.difference,
            "low": self.interval.low,
            "high": self.interval.high,
            "p_value": self.p_value,
            "gained": self.gained,
            "lost": self.lost,
        }


def paired_difference(gained: int, lost: int, trials: int) -> PairedDifference:
    """The difference of two shares of the same trials, with its interval and test.

    Without trials the difference can be anything. The interval is Wald's after half an observation was added to each
    of the four cells ("Wald+2": Agresti and Min, "Simple improved confidence intervals for comparing matched
    proportions", Statistics in Medicine 24 (2005)). Given that a trial is a hit of one only, equal shares make either
    equally likely, which is tested exactly (McNemar, "Note on the sampling error of the difference between correlated
    proportions or percentages", Psychometrika 12 (1947)).

    Args:
        gained: trials that are a hit of the second only.
        lost: trials that are a hit of the first only.
        trials: trials in all.

    Raises:
        ValueError: counts are negative, or together more than the trials.
    """
    from scipy.stats import binomtest, norm

    if min(gained, lost) < 0 or gained + lost > trials:
        raise ValueError(f"{gained} gained and {lost} lost of {trials} can't be")
    if trials == 0:
        return PairedDifference(0, 0, 0, Interval(-1.0, 1.0), 1.0)
    adjusted = trials + 2
    centre = (gained - lost) / adjusted
    spread = math.sqrt((gained + lost + 1) / adjusted - centre**2) / math.sqrt(adjusted)
    reach = float(norm.ppf((1 + CONFIDENCE) / 2)) * spread
    p_value = float(binomtest(gained, gained + lost).pvalue) if gained + lost else 1.0
    return PairedDifference(gained, lost, trials, _clipped(centre - reach, centre + reach, -1.0), p_value)


@dataclass(frozen=True)
class Mean:
    """The mean of some values.

    Attributes:
        count: how many values.
        mean: their mean.
        error: its standard error; None for a single value.
        interval: Student's interval of the true mean; None for a single value.
    """

    count: int
    mean: float
    error: float | None
    interval: Interval | None

    def to_json(self) -> dict[str, Any]:
        """The mean, its error and interval as JSON values."""
        return {
            "count": self.count,
            "mean": self.mean,
            "error": self.error,
            "low": None if self.interval is None else self.interval.low,
            "high": None if self.interval is None else self.interval.high,
        }


def mean_of(counts: Mapping[int, int]) -> Mean | None:
    """The mean of whole numbers, each given with how often it occurs; None if there is none.

    The interval is Student's, "The probable error of a mean", Biometrika 6 (1908). Sums are exact.
    """
    from scipy.stats import t

    count = sum(counts.values())
    if count == 0:
        return None
    total = sum(value * times for value, times in counts.items())
    if count == 1:
        return Mean(1, float(total), None, None)
    squares = sum(value * value * times for value, times in counts.items())
    error = math.sqrt((count * squares - total * total) / (count * count * (count - 1)))
    reach = float(t.ppf((1 + CONFIDENCE) / 2, count - 1)) * error
    mean = total / count
    return Mean(count, mean, error, Interval(mean - reach, mean + reach))


def clustered_mean(totals: NDArray[Any], counts: NDArray[Any]) -> Mean | None:
    """The mean of values that come in clusters, within which they may depend on each other; None if there is none.

    Clusters may differ in size: the mean is a ratio, whose variance is that of the clusters' totals less the mean times
    their counts; Student's interval with one degree of freedom less than clusters (Cochran, "Sampling techniques",
    3rd ed. 1977, chapter 9).

    Args:
        totals: shape (clusters,): the sum of each cluster's values.
        counts: shape (clusters,): how many they are, at least one.
    """
    clusters, count = len(counts), int(counts.sum())
    if count == 0:
        return None
    mean = float(totals.sum()) / count
    if clusters == 1:
        return Mean(count, mean, None, None)
    from scipy.stats import t

    residuals = totals - mean * counts
    error = math.sqrt(float((residuals * residuals).sum()) * clusters / (clusters - 1)) / count
    reach = float(t.ppf((1 + CONFIDENCE) / 2, clusters - 1)) * error
    return Mean(count, mean, error, Interval(mean - reach, mean + reach))
