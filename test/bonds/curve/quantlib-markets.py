"""Writes quantlib-markets.json: markets, and the zero rates that QuantLib fits to them.

    pip install QuantLib==1.44
    python test/bonds/curve/quantlib-markets.py > test/bonds/curve/quantlib-markets.json

Each market is a list of securities with their maturity, coupon rate (null for a discount security)
and clean price. QuantLib's FittedBondDiscountCurve minimizes the errors of prices, each over price
and modified duration, with the simplex method; the best of several starts is taken. Zero rates are
in percent, compounded twice a year, at years counted as actual/365.
"""

import json
import math

import QuantLib as ql

SETTLEMENT = ql.Date(1, 7, 2026)
TENORS = [0.25, 0.5, 1, 2, 3, 5, 7, 10, 15, 20]
SEMIANNUAL = ql.Period(6, ql.Months)

ql.Settings.instance().evaluationDate = SETTLEMENT


def bill(days):
    return {"maturity": SETTLEMENT + days, "couponRate": None}


def bond(months, coupon, days=0):
    maturity = ql.NullCalendar().advance(SETTLEMENT, ql.Period(months, ql.Months)) + days
    return {"maturity": maturity, "couponRate": coupon}


BILLS = [bill(days) for days in (14, 28, 42, 63, 91, 119, 154, 182, 231, 273, 322, 364)]
BONDS = [
    bond(months, coupon, days)
    for months, coupon, days in (
        (14, 12, 3), (19, 7.5, 11), (23, 14, 20), (30, 10.25, 5), (37, 16, 9), (44, 9, 17),
        (52, 12.5, 2), (58, 8.75, 25), (66, 11, 13), (75, 13.5, 7), (88, 10, 19), (97, 12, 1),
        (108, 14.25, 22), (119, 11.75, 10), (141, 9.5, 6), (165, 12.25, 27), (180, 13, 15),
        (210, 10.5, 4), (226, 12, 21), (246, 12.75, 12),
    )
]
SHAPES = {
    "upward": lambda t: 0.125 - 0.03 * math.exp(-t / 2.5),
    "inverted": lambda t: 0.12 + 0.1 / (1 + t / 1.5),
    "humped": lambda t: 0.1 + 0.03 * t * math.exp(-t / 2) - 0.01 * math.exp(-t / 6),
    "flat": lambda t: 0.11,
    "bills only": lambda t: 0.105 + 0.012 * t - 0.006 * t * t,
    "few bonds": lambda t: 0.13 - 0.02 * math.exp(-t / 3),
}
# PKRV yields of 18 December 2025 by months, in percent: simple up to six months, then par yields.
PUBLISHED = [
    (1, 10.35), (3, 10.44), (6, 10.52), (12, 10.58), (24, 10.64), (36, 10.71), (60, 11),
    (84, 11.29), (120, 11.59), (180, 11.95), (240, 12.03),
]


def build_market(name):
    if name == "published yields":
        return [price_published(months, rate) for months, rate in PUBLISHED]
    securities = {"bills only": BILLS, "few bonds": BILLS[::3] + BONDS[::2]}.get(name, BILLS + BONDS)
    shape = SHAPES[name]
    market = []
    for index, security in enumerate(securities):
        # Up to three basis points of noise, in no order.
        noise = 0.0003 * math.sin(12.9898 * (index + 1) + 4.1 * len(name))
        market.append({**security, "cleanPrice": round(price(security, lambda t: shape(t) + noise), 4)})
    return market


def price_published(months, rate):
    maturity = ql.NullCalendar().advance(SETTLEMENT, ql.Period(months, ql.Months))
    if months > 6:
        return {"maturity": maturity, "couponRate": rate, "cleanPrice": 100}
    days = maturity - SETTLEMENT
    clean = round(100 / (1 + rate / 100 * days / 365), 4)
    return {"maturity": maturity, "couponRate": None, "cleanPrice": clean}


def build_bond(security):
    coupon, maturity = security["couponRate"], security["maturity"]
    calendar, unadjusted = ql.NullCalendar(), ql.Unadjusted
    if coupon is None:
        return ql.ZeroCouponBond(0, calendar, 100, maturity, unadjusted, 100)
    issue = calendar.advance(maturity, ql.Period(-30, ql.Years))
    schedule = ql.Schedule(issue, maturity, SEMIANNUAL, calendar, unadjusted, unadjusted, ql.DateGeneration.Backward, False)
    day_count = ql.ActualActual(ql.ActualActual.ISMA, schedule)
    return ql.FixedRateBond(0, 100, schedule, [coupon / 100], day_count, unadjusted, 100)


def flows(security):
    for flow in build_bond(security).cashflows():
        if flow.date() > SETTLEMENT:
            yield (flow.date() - SETTLEMENT) / 365, flow.amount()


def price(security, shape):
    value = sum(amount * math.exp(-shape(t) * t) for t, amount in flows(security))
    return value - build_bond(security).accruedAmount(SETTLEMENT)


def modified_duration(security):
    instance = build_bond(security)
    dirty = security["cleanPrice"] + instance.accruedAmount(SETTLEMENT)
    if security["couponRate"] is None:
        return (security["maturity"] - SETTLEMENT) / 365 * dirty / 100, dirty
    day_count = instance.dayCounter()
    rate = ql.BondFunctions.bondYield(
        instance, ql.BondPrice(security["cleanPrice"], ql.BondPrice.Clean), day_count, ql.Compounded, ql.Semiannual, SETTLEMENT
    )
    interest = ql.InterestRate(rate, day_count, ql.Compounded, ql.Semiannual)
    return ql.BondFunctions.duration(instance, interest, ql.Duration.Modified, SETTLEMENT), dirty


def fit(market):
    helpers, weights = [], []
    for security in market:
        quote = ql.QuoteHandle(ql.SimpleQuote(security["cleanPrice"]))
        helpers.append(ql.BondHelper(quote, build_bond(security)))
        duration, dirty = modified_duration(security)
        weights.append(1 / (duration * dirty))
    scale = max(weights)
    weights = ql.Array([weight / scale for weight in weights])
    is_svensson = len(market) >= 20
    guesses = [
        ([level, slope, 0.01, 0.01, 1 / first, 1 / second] if is_svensson else [level, slope, 0.01, 1 / first])
        for level in (0.1, 0.13)
        for slope in (-0.03, 0.05)
        for first in (0.4, 1.5, 5)
        for second in ((0.8, 3, 8) if is_svensson else (1,))
    ]
    best = None
    for guess in guesses:
        start, cost = guess, math.inf
        # The simplex method stops early: it starts again from where it stopped.
        for _ in range(8):
            method = (ql.SvenssonFitting if is_svensson else ql.NelsonSiegelFitting)(weights)
            curve = ql.FittedBondDiscountCurve(
                SETTLEMENT, helpers, ql.Actual365Fixed(), method, 1e-14, 20000, ql.Array(start), 0.3
            )
            try:
                results = curve.fitResults()
                found = results.minimumCostValue()
            except RuntimeError:
                break
            gained = found < cost * 0.999
            start, cost = list(results.solution()), min(found, cost)
            if best is None or found < best[0]:
                best = (found, curve)
            if not gained:
                break
    return best[1]


def main():
    result = []
    for name in [*SHAPES, "published yields"]:
        market = build_market(name)
        curve = fit(market)
        longest = max(security["maturity"] - SETTLEMENT for security in market) / 365
        zeros = {}
        for tenor in TENORS:
            if tenor <= longest:
                discount = curve.discount(tenor, True)
                zeros[tenor] = round(200 * (discount ** (-1 / (2 * tenor)) - 1), 5)
        securities = [
            [security["maturity"].ISO(), security["couponRate"], security["cleanPrice"]] for security in market
        ]
        result.append({"name": name, "securities": securities, "zeroRates": list(zeros.items())})
    print("[")
    print(",\n".join(json.dumps(market) for market in result))
    print("]")


main()
