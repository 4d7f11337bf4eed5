"""Writes quantlib-conventions.json: what QuantLib computes for each day count and ex-dividend period.

    pip install QuantLib==1.44
    python test/bonds/quantlib-conventions.py > test/bonds/quantlib-conventions.json

Coupon days count back from maturity, without an end-of-month rule. 30/360 is Thirty360(BondBasis).
Ex-dividend days are days of the calendar, or with HOLIDAYS business days. A coupon rate of None is a
discount security, with a simple yield.

Holdings are for a number of months, financed at a simple rate or by the curve of CURVE: the zero rates
of Svensson in percent, compounded continuously. By then, the yield has changed by half a percent. The
Z-spread is compounded twice a year. Cash flows are those that a buyer gets, by day.
"""

import json

import QuantLib as ql

# Settlement, maturity, coupon rate, coupons a year, clean price; then by name the day of issue with
# the day of the first coupon, and the coupon day that interest begins if it is not issue, ex-dividend
# days, and whether these are business days.
CASES = [
    ("2026-06-30", "2036-10-15", 12, 2, 98.5, {}),
    ("2026-04-15", "2036-10-15", 12, 2, 98.5, {}),  # on a coupon day
    ("2026-10-14", "2036-10-15", 12, 2, 98.5, {}),  # the day before
    ("2026-06-30", "2026-10-15", 9.75, 2, 99.2, {}),  # the last period
    ("2026-05-31", "2031-08-31", 11.5, 2, 93.4, {}),  # on the last day of months, from one
    ("2027-02-28", "2031-08-31", 11.5, 2, 93.4, {}),  # on a coupon day in February
    ("2024-02-29", "2029-08-15", 14.25, 2, 104.1234, {}),  # settled on a leap day
    ("2023-12-05", "2028-02-29", 11.5, 4, 93.4, {}),  # matures on a leap day
    ("2026-06-30", "2031-03-30", 7.5, 1, 84.5, {}),
    ("2024-02-29", "2027-05-31", 14, 12, 97.5, {}),
    ("2026-06-30", "2031-09-30", 0, 2, 55.5, {}),
    ("2026-06-30", "2027-01-31", 13, 2, 135, {}),  # a negative yield
    ("2026-07-01", "2036-10-22", 11.5, 2, 99.25, {"issue": "2026-06-12", "first": "2026-10-22"}),  # short
    ("2026-10-21", "2036-10-31", 11.5, 2, 99.25, {"issue": "2026-06-12", "first": "2026-10-31"}),
    ("2026-04-10", "2036-10-22", 11.5, 2, 99.25, {"issue": "2026-04-02", "first": "2026-10-22"}),  # long
    ("2026-08-03", "2036-10-22", 11.5, 2, 99.25, {"issue": "2026-04-02", "first": "2026-10-22"}),
    ("2023-02-01", "2033-02-15", 2.3, 1, 100.1, {"issue": "2023-01-13", "first": "2024-02-15"}),
    ("2024-04-30", "2024-08-31", 8, 2, 99.9, {"issue": "2024-03-31", "first": "2024-08-31"}),  # the only one
    ("2026-10-09", "2036-10-15", 12, 2, 98.5, {"exDividendDays": 7}),
    ("2026-10-08", "2036-10-15", 12, 2, 98.5, {"exDividendDays": 7}),  # the first day
    ("2026-10-07", "2036-10-15", 12, 2, 98.5, {"exDividendDays": 7}),  # the day before
    ("2026-10-09", "2026-10-15", 12, 2, 98.5, {"exDividendDays": 7}),  # the last coupon
    ("2027-02-25", "2031-08-31", 11.5, 2, 93.4, {"exDividendDays": 10}),
    ("2026-10-20", "2036-10-22", 11.5, 2, 99.25, {"exDividendDays": 5, "issue": "2026-04-02", "first": "2026-10-22"}),
    ("2026-12-24", "2031-01-02", 6, 2, 101.5, {"exDividendDays": 7, "business": True}),
    ("2026-12-21", "2031-01-02", 6, 2, 101.5, {"exDividendDays": 7, "business": True}),  # the first day
    ("2026-12-20", "2031-01-02", 6, 2, 101.5, {"exDividendDays": 7, "business": True}),  # the day before
    ("2026-07-01", "2026-12-31", None, None, 95.4869, {}),
    ("2024-01-31", "2026-02-28", None, None, 81.1, {}),
    ("2026-04-12", "2036-10-15", 12, 2, 98.5, {"exDividendDays": 7}),  # and half a year later
    ("2026-07-10", "2026-10-15", 12, 2, 98.5, {"exDividendDays": 10}),  # the last coupon, three months later
    ("2026-03-31", "2031-04-01", 8, 2, 98.5, {"issue": "2026-04-01", "first": "2026-10-01"}),  # before issue
    ("2026-04-01", "2031-04-01", 8, 2, 98.5, {"issue": "2026-04-01", "first": "2026-10-01"}),
    ("2026-03-28", "2031-04-01", 8, 2, 98.5, {"issue": "2026-03-28", "start": "2026-04-01", "first": "2026-10-01"}),
    ("2026-03-31", "2031-04-01", 8, 2, 98.5, {"issue": "2026-03-28", "start": "2026-04-01", "first": "2026-10-01"}),
    ("2026-02-20", "2031-03-31", 8, 12, 98.5, {"issue": "2026-02-26", "start": "2026-02-28", "first": "2026-03-31"}),
]
CURVE = {"beta0": 12.5, "beta1": -1.5, "beta2": 1, "beta3": -2, "tau1": 1.8, "tau2": 6.5}
YIELD_CHANGE = -0.5
HORIZON_MONTHS = [3, 12, 1, 6]
REPO_RATES = [None, 11.5, None, -0.75]
HOLIDAYS = ["2026-12-25", "2027-01-01"]
FREQUENCIES = {1: ql.Annual, 2: ql.Semiannual, 4: ql.Quarterly, 12: ql.Monthly}
DAY_COUNTS = {
    "ACT/ACT": None,
    "ACT/365": ql.Actual365Fixed(),
    "ACT/360": ql.Actual360(),
    "30/360": ql.Thirty360(ql.Thirty360.BondBasis),
}
CALENDAR = ql.NullCalendar()


def parse(day):
    return ql.DateParser.parseISO(day)


def business_days():
    calendar = ql.BespokeCalendar("holidays")
    for weekday in (ql.Saturday, ql.Sunday):
        calendar.addWeekend(weekday)
    for day in HOLIDAYS:
        calendar.addHoliday(parse(day))
    return calendar


def create_bond(maturity, coupon, frequency, day_count, terms):
    end, issue = parse(maturity), terms.get("issue")
    if coupon is None:
        return ql.ZeroCouponBond(0, CALENDAR, 100, end, ql.Unadjusted, 100), day_count or ql.Actual365Fixed()
    months = 12 // frequency
    days = [CALENDAR.advance(end, ql.Period(-months * n, ql.Months)) for n in range(20 * frequency, -1, -1)]
    dates = [day for day in days if not issue or day >= parse(terms["first"])]
    if issue:
        dates.insert(0, parse(terms.get("start", issue)))

    def schedule(dates, is_regular):
        return ql.Schedule(
            dates, CALENDAR, ql.Unadjusted, ql.Unadjusted, ql.Period(months, ql.Months),
            ql.DateGeneration.Backward, False, [is_regular] + [True] * (len(dates) - 2),
        )

    # Counted on all coupon days: settlement may be before interest begins.
    counter = day_count or ql.ActualActual(ql.ActualActual.ISMA, schedule(days, True))
    ex_calendar = business_days() if terms.get("business") else CALENDAR
    bond = ql.FixedRateBond(
        0, 100, schedule(dates, not issue or "start" in terms), [coupon / 100], counter, ql.Unadjusted, 100, ql.Date(), CALENDAR,
        ql.Period(terms.get("exDividendDays", 0), ql.Days), ex_calendar, ql.Unadjusted, False,
    )
    return bond, counter


def compute(settlement, maturity, coupon, frequency, clean, terms, day_count):
    day = parse(settlement)
    ql.Settings.instance().evaluationDate = day
    bond, counter = create_bond(maturity, coupon, frequency, day_count, terms)
    compounding, times = (ql.Simple, ql.Annual) if coupon is None else (ql.Compounded, FREQUENCIES[frequency])
    functions, price = ql.BondFunctions, ql.BondPrice(clean, ql.BondPrice.Clean)
    accrued = bond.accruedAmount(day)
    rate = functions.bondYield(bond, price, counter, compounding, times, day, 1e-14, 1000, 0.1)
    interest = ql.InterestRate(rate, counter, compounding, times)
    modified = functions.duration(bond, interest, ql.Duration.Modified, day)
    kind = ql.Duration.Simple if coupon is None else ql.Duration.Macaulay
    figures = {
        "accrued": accrued,
        "dirtyPrice": clean + accrued,
        "ytm": rate * 100,
        "macaulayDuration": functions.duration(bond, interest, kind, day),
        "modifiedDuration": modified,
        "convexity": functions.convexity(bond, interest, day),
        "dv01": modified * (clean + accrued) / 10_000,
    }
    return bond, interest, figures


def create_curve(day):
    betas = [CURVE[name] / 100 for name in ("beta0", "beta1", "beta2", "beta3")]
    decays = [1 / CURVE[name] for name in ("tau1", "tau2")]
    parameters = ql.Array(betas + decays)
    return ql.FittedBondDiscountCurve(
        day, ql.SvenssonFitting(), parameters, day + 365 * 40, ql.Actual365Fixed()
    )


def is_ex_coupon(flow, day):
    coupon = ql.as_coupon(flow)
    return coupon is not None and coupon.exCouponDate() != ql.Date() and coupon.exCouponDate() <= day


def list_flows(bond, day):
    return [flow for flow in bond.cashflows() if flow.date() > day and not is_ex_coupon(flow, day)]


def hold(bond, interest, figures, settlement, months, repo):
    start, dirty = parse(settlement), figures["dirtyPrice"]
    horizon = CALENDAR.advance(start, ql.Period(months, ql.Months))
    if horizon >= bond.maturityDate():
        return {}
    curve = create_curve(start)

    def grow(begin, end):
        return curve.discount(begin) / curve.discount(end) if repo is None else 1 + repo / 100 * (end - begin) / 365

    def price_then(rate):
        then = ql.InterestRate(rate, interest.dayCounter(), interest.compounding(), interest.frequency())
        return ql.BondFunctions.cleanPrice(bond, then, horizon) + bond.accruedAmount(horizon)

    unchanged = price_then(interest.rate())
    # A coupon that the buyer of that day does not get belongs to the holder.
    kept = [flow for flow in list_flows(bond, start) if flow.date() <= horizon or is_ex_coupon(flow, horizon)]
    coupons = sum(flow.amount() * grow(flow.date(), horizon) for flow in kept)
    changed = price_then(interest.rate() + YIELD_CHANGE / 100)
    return {
        "months": months,
        "repo": repo,
        "carry": (unchanged + coupons - dirty * grow(start, horizon)) / dirty * 100,
        "rollDown": (changed - unchanged) / dirty * 100,
    }


def compute_z_spread(bond, clean, settlement):
    day = parse(settlement)
    return 100 * ql.BondFunctions.zSpread(
        bond, ql.BondPrice(clean, ql.BondPrice.Clean), create_curve(day), ql.Actual365Fixed(), ql.Compounded,
        ql.Semiannual, day, 1e-14, 1000, 0.0,
    )


def format_flows(bond, settlement):
    amounts = {}
    for flow in list_flows(bond, parse(settlement)):
        amounts[flow.date().ISO()] = amounts.get(flow.date().ISO(), 0) + flow.amount()
    return " ".join(f"{day}={amount:.12g}" for day, amount in amounts.items() if amount)


def main():
    vectors = []
    for shift, (name, day_count) in enumerate(DAY_COUNTS.items()):
        for index, (settlement, maturity, coupon, frequency, clean, terms) in enumerate(CASES):
            bond, interest, figures = compute(settlement, maturity, coupon, frequency, clean, terms, day_count)
            choice = (index + shift) % len(HORIZON_MONTHS)
            holding = hold(bond, interest, figures, settlement, HORIZON_MONTHS[choice], REPO_RATES[choice])
            vectors.append({
                "dayCount": name,
                "settlement": settlement, "maturity": maturity, "couponRate": coupon, "frequency": frequency,
                "cleanPrice": clean, **{key: value for key, value in terms.items() if key not in ("start", "first")},
                "figures": figures,
                **({"holding": holding} if holding else {}),
                "zSpread": compute_z_spread(bond, clean, settlement),
                **({"cashFlows": format_flows(bond, settlement)} if name in ("ACT/ACT", "ACT/360") else {}),
            })
    names = {"holidays": HOLIDAYS, "curve": CURVE, "yieldChange": YIELD_CHANGE}
    members = [f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in names.items()]
    lines = ",\n".join(f"    {json.dumps(vector)}" for vector in vectors)
    print("{", ",\n".join([*members, f'  "vectors": [\n{lines}\n  ]']), "}", sep="\n")


main()
