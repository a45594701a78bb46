"""Tails of distributions: chances of results at least as far out as the observed one."""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, exp, lgamma, log, sqrt

_STEPS_MAX = 20_000
_TINY = 1e-300
_PRECISION = 1e-14


def chi_square_tail(statistic: float, degrees: int) -> float:
    """Return the chance that a chi-square with these degrees of freedom is at least as large."""
    return _gamma_above(degrees / 2, statistic / 2) if statistic > 0 else 1.0


def normal_tails(score: float) -> float:
    """Return the chance that a standard normal value is at least as far from zero."""
    return erfc(abs(score) / sqrt(2))


def poisson_above(count: int, mean: float) -> float:
    """Return the chance of at least `count` events of which `mean` are expected."""
    return 1.0 - _gamma_above(count, mean) if count > 0 else 1.0


def poisson_tails(count: int, mean: float) -> float:
    """Return twice the smaller chance of as many events or more, and as many or fewer."""
    at_most = _gamma_above(count + 1, mean) if mean > 0 else 1.0
    return min(1.0, 2 * min(at_most, poisson_above(count, mean)))


def binomial_above(count: int, trials: int, share: float) -> float:
    """Return the chance of at least `count` successes in `trials` with this share."""
    if count <= 0:
        return 1.0
    terms = []
    for at in range(count, trials + 1):
        ways = lgamma(trials + 1) - lgamma(at + 1) - lgamma(trials - at + 1)
        terms.append(exp(ways + at * log(share) + (trials - at) * log(1 - share)))
        if at > trials * share and terms[-1] < terms[0] * _PRECISION:
            break
    return min(1.0, sum(terms))


def fit(observed: Sequence[int], shares: Sequence[float], *, least: float = 5.0) -> float:
    """Return the chance of counts as far from these shares, by a chi-square test.

    Neighbouring classes with fewer than `least` expected counts are joined.
    """
    total = sum(observed)
    classes: list[tuple[int, float]] = []
    count, expected = 0, 0.0
    for seen, share in zip(observed, shares, strict=True):
        count, expected = count + seen, expected + total * share
        if expected >= least:
            classes.append((count, expected))
            count, expected = 0, 0.0
    if classes and expected:
        last = classes.pop()
        classes.append((last[0] + count, last[1] + expected))
    if len(classes) < 2:
        return 1.0
    statistic = sum((seen - wanted) ** 2 / wanted for seen, wanted in classes)
    return chi_square_tail(statistic, len(classes) - 1)


def _gamma_above(shape: float, value: float) -> float:
    """Return the upper regularized incomplete gamma function."""
    if value <= 0:
        return 1.0
    scale = exp(shape * log(value) - value - lgamma(shape))
    if value < shape + 1:
        term = total = 1 / shape
        for step in range(1, _STEPS_MAX):
            term *= value / (shape + step)
            total += term
            if term < total * _PRECISION:
                break
        return max(0.0, 1 - total * scale)
    # Continued fraction by the method of Lentz.
    base = value + 1 - shape
    high, low = 1 / _TINY, 1 / base
    fraction = low
    for step in range(1, _STEPS_MAX):
        factor = step * (shape - step)
        base += 2
        low = 1 / (factor * low + base or _TINY)
        high = base + factor / high or _TINY
        fraction *= low * high
        if abs(low * high - 1) < _PRECISION:
            break
    return min(1.0, fraction * scale)
