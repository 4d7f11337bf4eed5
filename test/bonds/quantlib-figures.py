"""Writes quantlib-figures.json: what QuantLib computes for bonds and discount securities.

    pip install QuantLib==1.44
    python test/bonds/quantlib-figures.py > test/bonds/quantlib-figures.json

Coupon bonds: ACT/ACT (ICMA), no end-of-month rule, yields compounded at the coupon frequency. Those
with a day of issue have a first coupon for the time since then, on the given day.
Discount securities: simple yields, ACT/365.
"""

import json

import QuantLib as ql

# Settlement, maturity, coupon rate, coupons a year, clean price.
BONDS = [
    ("2026-07-01", "2036-07-01", 12, 2, 98.5),  # on a coupon day, ten whole years
    ("2026-06-30", "2036-07-01", 12, 2, 98.5),  # the day before
    ("2026-07-02", "2036-07-01", 12, 2, 98.5),  # the day after
    ("2024-02-29", "2029-08-15", 14.25, 2, 104.1234),  # settled on a leap day
    ("2023-12-05", "2028-02-29", 11.5, 2, 93.4),  # matures on a leap day
    ("2024-03-01", "2028-02-29", 11.5, 4, 93.4),
    ("2026-06-30", "2026-10-15", 9.75, 2, 99.2),  # the last period
    ("2026-06-30", "2026-07-01", 9.75, 2, 100.01),  # the last day
    ("2026-06-30", "2046-01-22", 10, 2, 81.25),
    ("2026-06-30", "2031-03-15", 7.5, 1, 84.5),
    ("2026-06-30", "2029-11-04", 15.2, 4, 108.75),
    ("2026-06-30", "2031-09-30", 0, 2, 55.5),
    ("2026-06-30", "2027-01-31", 13, 2, 135),  # a negative yield
    ("2026-06-30", "2029-03-15", 9.6, 12, 101.2),  # monthly
    ("2024-02-29", "2027-05-31", 14, 12, 97.5),  # monthly, on the last day of the month
    ("2026-06-30", "2026-07-10", 12, 12, 99.9),  # the last of the months
    ("2026-07-01", "2056-07-01", 0, 2, 21.4),  # a strip of thirty years
    ("2026-07-01", "2028-02-29", 0, 1, 84.5),
]
# Settlement, maturity, coupon rate, coupons a year, clean price, issue, first coupon.
ODD_BONDS = [
    ("2026-07-01", "2036-10-22", 11.5, 2, 99.25, "2026-06-12", "2026-10-22"),  # short
    ("2026-06-12", "2036-10-22", 11.5, 2, 99.25, "2026-06-12", "2026-10-22"),  # on the day of issue
    ("2026-10-21", "2036-10-22", 11.5, 2, 99.25, "2026-06-12", "2026-10-22"),  # the day before it is paid
    ("2026-10-22", "2036-10-22", 11.5, 2, 99.25, "2026-06-12", "2026-10-22"),  # regular from then on
    ("2026-04-10", "2036-10-22", 11.5, 2, 99.25, "2026-04-02", "2026-10-22"),  # long, before the day skipped
    ("2026-04-22", "2036-10-22", 11.5, 2, 99.25, "2026-04-02", "2026-10-22"),  # on the day skipped
    ("2026-08-03", "2036-10-22", 11.5, 2, 99.25, "2026-04-02", "2026-10-22"),  # after it
    ("2023-02-01", "2033-02-15", 2.3, 1, 100.1, "2023-01-13", "2024-02-15"),  # long and annual
    ("2023-03-10", "2026-02-28", 10, 4, 98, "2023-03-08", "2023-05-28"),
    ("2024-03-20", "2026-01-31", 12, 12, 100.4, "2024-03-15", "2024-03-31"),
    ("2024-04-02", "2026-01-20", 12, 12, 100.4, "2024-03-15", "2024-04-20"),  # long and monthly
]
# Settlement, maturity, price.
BILLS = [
    ("2026-07-01", "2026-12-03", 95.4869),
    ("2026-07-01", "2026-07-02", 99.97),
    ("2024-02-28", "2024-08-29", 90.5),
    ("2026-07-01", "2027-07-14", 89.1),  # beyond a year
    ("2026-07-01", "2029-07-02", 70.25),
    ("2026-07-01", "2027-01-01", 100.5),  # a negative yield
]
FREQUENCIES = {1: ql.Annual, 2: ql.Semiannual, 4: ql.Quarterly, 12: ql.Monthly}
CALENDAR = ql.NullCalendar()


def parse(day):
    return ql.DateParser.parseISO(day)


def figures(bond, settlement, clean, day_count, compounding, frequency):
    functions, price = ql.BondFunctions, ql.BondPrice(clean, ql.BondPrice.Clean)
    accrued = bond.accruedAmount(settlement)
    rate = functions.bondYield(bond, price, day_count, compounding, frequency, settlement, 1e-14, 1000, 0.1)
    interest = ql.InterestRate(rate, day_count, compounding, frequency)
    modified = functions.duration(bond, interest, ql.Duration.Modified, settlement)
    simple = compounding == ql.Simple
    macaulay = functions.duration(
        bond, interest, ql.Duration.Simple if simple else ql.Duration.Macaulay, settlement
    )
    return {
        "accrued": accrued,
        "dirtyPrice": clean + accrued,
        "ytm": rate * 100,
        "macaulayDuration": macaulay,
        "modifiedDuration": modified,
        "convexity": functions.convexity(bond, interest, settlement),
        "dv01": modified * (clean + accrued) / 10_000,
    }


def bond_vector(settlement, maturity, coupon, frequency, clean, issue=None, first=None):
    end, period = parse(maturity), ql.Period(12 // frequency, ql.Months)
    # Counted from maturity, as coupon days are; stepping keeps no clipped day of the month.
    dates = [CALENDAR.advance(end, ql.Period(-12 // frequency * n, ql.Months)) for n in range(30 * frequency, -1, -1)]
    if issue:
        dates = [parse(issue)] + [day for day in dates if day >= parse(first)]
    regular = [not issue] + [True] * (len(dates) - 2)
    schedule = ql.Schedule(dates, CALENDAR, ql.Unadjusted, ql.Unadjusted, period, ql.DateGeneration.Backward, False, regular)
    day_count = ql.ActualActual(ql.ActualActual.ISMA, schedule)
    ql.Settings.instance().evaluationDate = parse(settlement)
    bond = ql.FixedRateBond(0, 100, schedule, [coupon / 100], day_count, ql.Unadjusted, 100)
    return figures(bond, parse(settlement), clean, day_count, ql.Compounded, FREQUENCIES[frequency])


def bill_vector(settlement, maturity, price):
    ql.Settings.instance().evaluationDate = parse(settlement)
    bond = ql.ZeroCouponBond(0, CALENDAR, 100, parse(maturity), ql.Unadjusted, 100)
    return figures(bond, parse(settlement), price, ql.Actual365Fixed(), ql.Simple, ql.Annual)


def main():
    vectors = [
        {"settlement": s, "maturity": m, "couponRate": c, "frequency": f, "cleanPrice": p, **bond_vector(s, m, c, f, p)}
        for s, m, c, f, p in BONDS
    ] + [
        {"settlement": s, "maturity": m, "couponRate": c, "frequency": f, "issue": i, "cleanPrice": p,
         **bond_vector(s, m, c, f, p, i, first)}
        for s, m, c, f, p, i, first in ODD_BONDS
    ] + [
        {"settlement": s, "maturity": m, "couponRate": None, "frequency": None, "cleanPrice": p, **bill_vector(s, m, p)}
        for s, m, p in BILLS
    ]
    print("[")
    print(",\n".join(json.dumps(vector) for vector in vectors))
    print("]")


main()
