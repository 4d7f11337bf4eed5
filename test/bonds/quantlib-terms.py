"""Writes quantlib-terms.json: what QuantLib computes for random coupon days, yields and discount rates.

    pip install QuantLib==1.44
    python test/bonds/quantlib-terms.py > test/bonds/quantlib-terms.json
    python test/bonds/quantlib-terms.py --seed 8 --all 500 > all.json

Prices are of random yields. Key-rate durations are by central differences of a basis point, and shifts in
basis points, on QuantLib's own curve of Svensson, spreaded by the Z-spread and a triangle at each tenor.
"""

import argparse
import json
import random

import QuantLib as ql

parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int, default=7)
parser.add_argument("--all", type=int)
options = parser.parse_args()
random.seed(options.seed)
N = options.all or 240
FREQ = {1: ql.Annual, 2: ql.Semiannual, 4: ql.Quarterly, 12: ql.Monthly}
DC = {
    "ACT/ACT": None,
    "ACT/365": ql.Actual365Fixed(),
    "ACT/360": ql.Actual360(),
    "30/360": ql.Thirty360(ql.Thirty360.BondBasis),
}
CAL = ql.NullCalendar()
CURVE = {"beta0": 12.5, "beta1": -1.5, "beta2": 1, "beta3": -2, "tau1": 1.8, "tau2": 6.5}
KEYS = [1, 2, 5, 10, 20]


def iso(d):
    return d.ISO()


def bill(kind):
    day = ql.Date(random.randint(1, 28), random.randint(1, 12), 2026)
    mat = day + random.randint(5, 364)
    dcn = (
        random.choice(["ACT/365", "ACT/360", "30/360"])
        if kind == "discount"
        else random.choice(["ACT/360", "ACT/365"])
    )
    y = random.uniform(1, 20)
    t = DC[dcn].yearFraction(day, mat)
    price = 100 / (1 + y / 100 * t) if kind == "discount" else 100 * (1 - y / 100 * t)
    return day, mat, dcn, y, price, t


def svensson(day):
    a = ql.Array(
        [CURVE[k] / 100 for k in ("beta0", "beta1", "beta2", "beta3")] + [1 / CURVE[k] for k in ("tau1", "tau2")]
    )
    return ql.FittedBondDiscountCurve(day, ql.SvenssonFitting(), a, day + 365 * 60, ql.Actual365Fixed())


def flows_of(bond, day):
    out = []
    for cf in bond.cashflows():
        c = ql.as_coupon(cf)
        if cf.date() <= day:
            continue
        if c is not None and c.exCouponDate() != ql.Date() and c.exCouponDate() <= day:
            continue
        out.append(cf)
    return out


def curve_values(bond, day, dirty, curve, flows):
    """Bumped curves: QuantLib's own zero-spreaded term structures with interpolated spreads."""
    base = ql.YieldTermStructureHandle(curve)
    amounts = [(cf.date(), cf.amount()) for cf in flows]
    dc = ql.Actual365Fixed()
    z = (
        ql.BondFunctions.zSpread(
            bond,
            ql.BondPrice(dirty - bond.accruedAmount(day), ql.BondPrice.Clean),
            curve,
            dc,
            ql.Compounded,
            ql.Semiannual,
            day,
            1e-15,
            10000,
            0.0,
        )
        if bond
        else None
    )

    def value(extra):
        # spreads on zero rates compounded twice a year
        ts = ql.SpreadedLinearZeroInterpolatedTermStructure(
            base,
            [ql.QuoteHandle(ql.SimpleQuote(z + s)) for _, s in extra],
            [d for d, _ in extra],
            ql.Compounded,
            ql.Semiannual,
            dc,
        )
        ts.enableExtrapolation()
        return sum(a * ts.discount(d) for d, a in amounts)

    last = day + 365 * 60

    def flat(s):
        return [(day, s), (last, s)]

    bump = 1e-4
    base_v = value(flat(0))
    res = {"zSpread": z * 100, "keyRates": {}, "shifts": {}}
    for i, k in enumerate(KEYS):

        def shape(size):
            pts = []
            dates = [day] + [day + 365 * t for t in KEYS] + [last]
            for j, d in enumerate(dates):
                if i == 0:
                    s = size if j <= 1 else 0
                elif i == len(KEYS) - 1:
                    s = size if j >= i + 1 else 0
                else:
                    s = size if j == i + 1 else 0
                pts.append((d, s))
            return pts

        res["keyRates"][str(k)] = -(value(shape(bump)) - value(shape(-bump))) / (2 * bump) / base_v
    res["effective"] = -(value(flat(bump)) - value(flat(-bump))) / (2 * bump) / base_v
    for s in (-300, -100, -25, 10, 100, 250):
        res["shifts"][str(s)] = value(flat(s / 1e4))
    return res


out = []
while len(out) < N:
    r = random.random()
    if r < 0.15:
        kind = random.choice(["discount", "bank-discount"])
        day, mat, dcn, y, price, t = bill(kind)
        ql.Settings.instance().evaluationDate = day
        b = ql.ZeroCouponBond(0, CAL, 100, mat, ql.Unadjusted, 100)
        out.append(
            dict(
                kind=kind,
                settlement=iso(day),
                maturity=iso(mat),
                dayCount=dcn,
                ytm=y,
                clean=price,
                dirty=price,
                accrued=0,
                **curve_values(b, day, price, svensson(day), flows_of(b, day)),
            )
        )
        continue
    f = random.choice([1, 2, 2, 2, 4, 12])
    months = 12 // f
    dcn = random.choice(["ACT/ACT", "ACT/ACT", "ACT/365", "ACT/360", "30/360"])
    eom = random.random() < 0.3
    mat = ql.Date(random.randint(1, 28), random.randint(1, 12), random.randint(2027, 2054))
    if eom:
        mat = ql.Date.endOfMonth(mat)
    elif random.random() < 0.2:
        mat = ql.Date.endOfMonth(mat)
    oddlast = random.random() < 0.25
    oddfirst = random.random() < 0.4
    zero = random.random() < 0.06
    coupon = 0 if zero else round(random.uniform(0.5, 16), random.choice([2, 3, 4]))
    simple = random.choice([None, None, None, "last", "first"]) if dcn == "ACT/ACT" or True else None
    anchor = mat
    last = None
    if oddlast and not zero:
        frac = random.uniform(0.1, 1.9)
        last = mat - int(frac * 365 / f)
        if eom:
            last = ql.Date.endOfMonth(last)
        if last >= mat:
            continue
        anchor = last
    iseom = eom and ql.Date.isEndOfMonth(anchor)

    def grid(n):
        d = CAL.advance(anchor, ql.Period(-months * n, ql.Months), ql.Unadjusted, iseom)
        return ql.Date.endOfMonth(d) if iseom else d

    nper = random.randint(2, 30 * f if f < 12 else 60)
    regular = [grid(k) for k in range(nper, -1, -1)]
    if mat > anchor:
        q = [grid(-k) for k in range(1, 4)]
    else:
        q = []
    quasi = [grid(k) for k in range(nper + 3, nper, -1)] + regular + q
    issue = first = None
    dates = list(regular)
    if oddfirst and not zero:
        first = regular[0]
        issue = first - random.randint(5, int(1.9 * 365 / f))
        dates = [issue] + regular
    if last:
        dates = dates + [mat]
    if dates[0] > ql.Date(1, 6, 2026):
        pass
    settle_from = dates[0]
    if random.random() < 0.25 and len(dates) > 2:  # in the first period
        day = dates[0] + random.randint(0, max(0, dates[1] - dates[0] - 1))
    elif random.random() < 0.3:  # last period
        day = dates[-2] + random.randint(0, mat - dates[-2] - 1)
    else:
        day = dates[0] + random.randint(0, mat - dates[0] - 1)
    if issue and random.random() < 0.08:
        day = issue  # before issue
    ex = random.choice([0, 0, 0, 5, 10])
    if mat - day < 3:
        continue
    ql.Settings.instance().evaluationDate = day
    isreg = [True] * (len(dates) - 1)
    if issue:
        isreg[0] = False
    if last:
        isreg[-1] = False
    sched = ql.Schedule(
        dates, CAL, ql.Unadjusted, ql.Unadjusted, ql.Period(months, ql.Months), ql.DateGeneration.Backward, eom, isreg
    )
    qs = ql.Schedule(
        quasi,
        CAL,
        ql.Unadjusted,
        ql.Unadjusted,
        ql.Period(months, ql.Months),
        ql.DateGeneration.Backward,
        eom,
        [True] * (len(quasi) - 1),
    )
    counter = DC[dcn] or ql.ActualActual(ql.ActualActual.ISMA, qs)
    bond = ql.FixedRateBond(
        0,
        100,
        sched,
        [coupon / 100],
        counter,
        ql.Unadjusted,
        100,
        ql.Date(),
        CAL,
        ql.Period(ex, ql.Days),
        CAL,
        ql.Unadjusted,
        False,
    )
    y = random.uniform(0.5, 18)
    flows = flows_of(bond, day)
    comp = ql.Compounded
    nleft = len([d for d in dates if d > day])
    if simple == "first":
        comp = ql.SimpleThenCompounded
    if simple == "last" and nleft == 1:
        comp = ql.Simple
    # a long first period compounds wholly in QuantLib's SimpleThenCompounded
    if simple == "first":
        nxt = [d for d in dates if d > day][0]
        if counter.yearFraction(day, nxt) * f > 1 - 1e-12:
            continue
    rate = ql.InterestRate(y / 100, counter, comp, FREQ[f])
    clean = ql.BondFunctions.cleanPrice(bond, rate, day)
    acc = bond.accruedAmount(day)
    if clean <= 1:
        continue
    back = (
        ql.BondFunctions.bondYield(
            bond, ql.BondPrice(clean, ql.BondPrice.Clean), counter, comp, FREQ[f], day, 1e-15, 1000, 0.1
        )
        * 100
    )
    mod = ql.BondFunctions.duration(bond, rate, ql.Duration.Modified, day)
    conv = ql.BondFunctions.convexity(bond, rate, day)
    out.append(
        dict(
            kind="zero" if zero else "coupon",
            settlement=iso(day),
            maturity=iso(mat),
            couponRate=coupon,
            frequency=f,
            dayCount=dcn,
            endOfMonth=eom,
            issue=iso(issue) if issue else None,
            first=iso(first) if first else None,
            last=iso(last) if last else None,
            ex=ex,
            simple=simple,
            ytm=y,
            back=back,
            clean=clean,
            dirty=clean + acc,
            accrued=acc,
            modified=mod,
            convexity=conv,
            **curve_values(bond, day, clean + acc, svensson(day), flows),
        )
    )


def select(vectors):
    """A few of each kind."""
    chosen = []

    def choose(is_wanted, count):
        chosen.extend([v for v in vectors if is_wanted(v) and v not in chosen][:count])

    def is_early(v):
        return v.get("first") and v["settlement"] < v["first"]

    choose(lambda v: v["kind"] == "bank-discount", 2)
    choose(lambda v: v.get("simple") == "last" and v["settlement"] >= (v.get("last") or "9"), 3)
    choose(lambda v: v.get("simple") == "first" and v["couponRate"], 3)
    choose(lambda v: is_early(v) and v["dayCount"] == "ACT/ACT", 3)
    choose(lambda v: is_early(v) and v["dayCount"] == "30/360", 2)
    choose(lambda v: v.get("last") and v["dayCount"] == "ACT/ACT", 3)
    choose(lambda v: v.get("last") and v["dayCount"] == "ACT/360", 2)
    choose(lambda v: v.get("endOfMonth") and v["maturity"][5:] in ("02-28", "02-29", "04-30", "06-30", "09-30"), 3)
    choose(lambda v: v.get("ex") and v.get("last"), 2)
    return chosen


chosen = out if options.all else select(out)
lines = [json.dumps({key: value for key, value in v.items() if value is not None and key != "back"}) for v in chosen]
vectors = ",\n    ".join(lines)
print(f'{{\n  "curve": {json.dumps(CURVE)},\n  "vectors": [\n    {vectors}\n  ]\n}}')
