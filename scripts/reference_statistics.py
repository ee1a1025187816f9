#!/usr/bin/env python3
"""Writes what scipy and statsmodels say about many lists of numbers, for the tests of crates/statistics.

    make statistics-reference

Needs scipy 1.17.1, statsmodels 0.15.0 and numpy 2.4.6; their versions go into the file. The data is made here from fixed seeds and
goes into the file as well, so that the tests need no Python. Numbers that are not finite are written as null.
"""

import json
import math
import sys
import warnings

import numpy as np
import scipy
import statsmodels
from scipy import special, stats
from statsmodels.duration.survfunc import SurvfuncRight
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

warnings.simplefilter("ignore")
SIZES = [2, 3, 4, 5, 7, 10, 13, 14, 20, 35, 50, 51, 80, 200]


def clean(value):
    """Plain numbers and lists; null for numbers that are not finite."""
    if isinstance(value, dict):
        return {key: clean(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [clean(inner) for inner in value]
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        return float(value) if math.isfinite(value) else None
    return value


def samples():
    """Typical lists: normal, skewed, with ties, with zeros, rounded, shifted far away."""
    generator = np.random.default_rng(20240501)
    for size in SIZES:
        yield "normal", generator.normal(0.3, 1.0, size)
        yield "skewed", generator.exponential(300.0, size)
        yield "ties", generator.integers(-4, 6, size).astype(float)
        yield "zeros", np.where(generator.random(size) < 0.4, 0.0, generator.normal(0.5, 2.0, size))
        yield "far", 1e4 + generator.normal(0.0, 1.0, size)
        yield "tenths", np.round(generator.normal(-1.0, 3.0, size), 1)
    yield "one", np.array([4.25])
    yield "equal", np.full(6, 2.5)


def test(result):
    return {"statistic": result.statistic, "p": result.pvalue}


def single():
    cases = []
    for kind, values in samples():
        size = len(values)
        case = {"kind": kind, "values": values, "mean": np.mean(values), "median": np.median(values)}
        case["quantiles"] = [[p, np.quantile(values, p)] for p in (0.0, 0.025, 0.1, 0.25, 0.333, 0.5, 0.75, 0.9, 0.99, 1.0)]
        if size > 1:
            case["standard_deviation"] = np.std(values, ddof=1)
            if np.std(values) > 0:
                for confidence in (0.9, 0.95, 0.99):
                    interval = stats.t.interval(confidence, size - 1, np.mean(values), stats.sem(values))
                    case[f"student_{round(100 * confidence)}"] = interval
                case["t_test"] = test(stats.ttest_1samp(values, 0.0))
                case["cohens_dz"] = np.mean(values) / np.std(values, ddof=1)
        kept = values[values != 0]
        if len(kept):
            case["wilcoxon"] = test(stats.wilcoxon(values, method="auto"))
            ranks = stats.rankdata(np.abs(kept))
            case["rank_biserial"] = (ranks[kept > 0].sum() - ranks[kept < 0].sum()) / ranks.sum()
        if (values >= 0).all() and values.any():
            case["jain"] = values.sum() ** 2 / (size * (values**2).sum())
        cases.append(case)
    return cases


def lifetimes(generator, size, scale, limit):
    """Exponential lifetimes that are censored at a limit, and sometimes earlier."""
    true = np.ceil(generator.exponential(scale, size) * 4) / 4
    stop = np.minimum(limit, np.where(generator.random(size) < 0.2, np.ceil(generator.uniform(0, limit, size) * 4) / 4, limit))
    return np.minimum(true, stop), true <= stop


def survival():
    generator = np.random.default_rng(11)
    cases = []
    for size in (1, 2, 3, 5, 10, 20, 50, 200):
        for limit in (0.5, 2.0, 6.0, 1e6):
            time, observed = lifetimes(generator, size, 2.0, limit)
            case = {"time": time, "observed": observed, "steps": []}
            ends = [0.0, 0.3, 1.0, float(np.max(time)) / 2, float(np.max(time))]
            steps = []
            if observed.any():
                curve = SurvfuncRight(time, observed.astype(int))
                ecdf = stats.ecdf(stats.CensoredData.right_censored(time, ~observed))
                band = ecdf.sf.confidence_interval(0.95, method="log-log")
                place = {t: i for i, t in enumerate(ecdf.sf.quantiles)}
                for t, s, e, n, d in zip(curve.surv_times, curve.surv_prob, curve.surv_prob_se, curve.n_risk, curve.n_events):
                    if d == 0:
                        continue
                    steps.append([t, int(n), int(d), s, e if s > 0 else None,
                                  *((band.low.probabilities[place[t]], band.high.probabilities[place[t]]) if s > 0 else (None, None))])
                    assert abs(ecdf.sf.probabilities[place[t]] - s) < 1e-12
                half = [step[0] for step in steps if step[3] <= 0.5 + 1e-9]
                case["median"] = half[0] if half else None
            case["steps"] = steps
            case["at"] = [[t, stepped(steps, t)] for t in ends]
            cases.append(case)
    return cases


def stepped(steps, time):
    return ([1.0] + [step[3] for step in steps if step[0] <= time])[-1]


def shares():
    cases = []
    for count in (1, 2, 5, 20, 100, 1000):
        for successes in sorted({0, 1, count // 3, count // 2, count - 1, count}):
            for confidence in (0.9, 0.95, 0.99):
                low, high = proportion_confint(successes, count, 1 - confidence, "wilson")
                cases.append([successes, count, confidence, low, high])
    return cases


def contingency():
    return [[a, b, mcnemar([[3, a], [b, 4]], exact=True).pvalue]
            for a, b in [(0, 0), (1, 0), (0, 5), (3, 3), (2, 9), (12, 4), (40, 61), (150, 90), (700, 600)]]


def friedmans():
    generator = np.random.default_rng(17)
    cases = []
    for treatments in (3, 4, 7):
        for blocks in (2, 5, 12, 60):
            for tied in (False, True):
                data = generator.normal(0, 1, (blocks, treatments)) + 0.3 * np.arange(treatments)
                if tied:
                    data = np.round(data)
                cases.append({"blocks": data, **test(stats.friedmanchisquare(*data.T))})
    return cases


def corrections():
    generator = np.random.default_rng(19)
    cases = []
    for size in (1, 2, 3, 5, 10, 40):
        for power in (1, 4):
            p = generator.random(size) ** power
            if size > 2:
                p[0] = p[1]
            cases.append(p)
    cases += [np.array([0.0, 1.0, 0.5, 0.0]), np.array([0.01, 0.02, 0.03, 0.04]), np.array([1.0, 1.0])]
    return [{"p": p, "holm": multipletests(p, method="holm")[1]} for p in cases]


def bootstraps():
    """Intervals from 200,000 resamples; `error` is the standard error of the statistic, by which differences are judged.

    Standard deviations of few values have gaps in their distribution (with or without the outlier), into which an end may fall: they
    are left out, because there no number of resamples gives the same interval twice.
    """
    generator = np.random.default_rng(23)
    cases = []
    for size in (8, 12, 25, 60, 200):
        for kind, values in (("normal", generator.normal(10, 2, size)), ("skewed", generator.exponential(100, size))):
            for name, statistic in (("mean", np.mean), ("standard_deviation", lambda x, axis: np.std(x, axis=axis, ddof=1))):
                if name != "mean" and size < 25:
                    continue
                for confidence in (0.9, 0.95):
                    result = stats.bootstrap((values,), statistic, confidence_level=confidence, n_resamples=200_000,
                                             method="BCa", batch=2000, rng=np.random.default_rng(29))
                    interval = result.confidence_interval
                    cases.append({"kind": kind, "values": values, "statistic": name, "confidence": confidence,
                                  "low": interval.low, "high": interval.high, "error": result.standard_error})
    return cases


def distributions():
    freedoms = [1, 2, 3, 5, 9, 19, 49, 79, 81, 99, 199, 999, 4999, 19999, 100000]
    coins = [(k, n) for n in (1, 2, 5, 10, 50, 100, 999, 1001, 5000, 20000)
             for k in sorted({0, 1, n // 4, n // 2 - 1, n // 2}) if 0 <= k <= n and stats.binom.cdf(k, n, 0.5) > 1e-280]
    return {
        "student_beyond": [[t, v, 2 * stats.t.sf(t, v)] for v in freedoms for t in (0, 1e-6, 1e-3, 0.1, 0.5, 1, 2, 3, 5, 10, 30)
                           if stats.t.sf(t, v) > 1e-280],
        "student_critical": [[c, v, stats.t.isf((1 - c) / 2, v)] for v in freedoms for c in (0.5, 0.8, 0.9, 0.95, 0.99, 0.999)],
        "normal_quantile": [[p, special.ndtri(p)] for p in (1e-300, 1e-20, 1e-10, 1e-5, 0.001, 0.025, 0.05, 0.3, 0.499, 0.7, 0.975, 0.9995)],
        "normal_below": [[x, special.ndtr(x)] for x in (-37, -20, -8, -5, -3, -1.96, -1, -0.1, -1e-5, 0, 1e-5, 0.3, 1, 2, 5)],
        "chi_squared_above": [[x, v, stats.chi2.sf(x, v)] for v in (1, 2, 3, 5, 10, 30, 100) for x in (0, 1e-6, 0.01, 0.5, 1, 2, 5, 10, 30, 100, 500)
                              if stats.chi2.sf(x, v) > 1e-280],
        "coin_beyond": [[k, n, min(1.0, stats.binomtest(k, n, 0.5).pvalue)] for k, n in coins],
    }


def main():
    made = {
        "versions": {"python": sys.version.split()[0], "numpy": np.__version__, "scipy": scipy.__version__,
                     "statsmodels": statsmodels.__version__},
        "single": single(),
        "survival": survival(),
        "wilson": shares(),
        "mcnemar": contingency(),
        "friedman": friedmans(),
        "corrections": corrections(),
        "bootstrap": bootstraps(),
        "distributions": distributions(),
    }
    with open(sys.argv[1], "w") as file:
        # One line per case: small, and readable in a diff.
        lines = []
        for key, part in clean(made).items():
            if isinstance(part, list):
                body = "[\n" + ",\n".join("  " + json.dumps(case) for case in part) + "\n]"
            else:
                body = json.dumps(part)
            lines.append(f"{json.dumps(key)}: {body}")
        file.write("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
