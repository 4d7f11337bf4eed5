import type { CheckName } from '../../catalogue/model/consistency-check.ts';

/** A rule that warns, or one that only a check warns of, because a load rejects it. */
export type DataRule = WarningRule | 'future-date';

export interface Warning {
  readonly rule: DataRule;
  readonly field: string;
  readonly value: unknown;
  /** One line for a person, with the figures and the tolerance. */
  readonly text: string;
}

/** Yields are in percentage points, prices per 100. */
export const WARNING_THRESHOLDS = {
  /** Tolerance between a quoted yield and the one computed from the price. */
  ytm: 0.02,
  /** The same in price: half a unit of a price with two decimals, which matters near maturity. */
  price: 0.005,
  /** Quotes with more days between them are not compared. */
  days: 7,
  /** In percent. */
  priceJump: 10,
  ytmJump: 2,
  /**
   * Smaller moves of price, in percent, and yield in the same direction come from the pull to par
   * (0.4 in a week at a yield of 20) and from new rates of floaters.
   */
  sameWayPrice: 1,
  sameWayYtm: 0.25,
  /** A newest day is thin below this share of the median of the days before it. */
  thinDayShare: 0.5,
  thinDayDays: 5,
  /** Where days have fewer quotes, none is thin. */
  thinDayMinQuotes: 4,
  /** A total may not be this many times that of the period before, nor this part of it. */
  scaleFactor: 8,
  /** Periods with more between them are not compared. */
  scalePeriods: 4,
} as const;

/** Bounds of plausible figures; a price of 0 means no order. */
export const PLAUSIBLE_BOUNDS = {
  price: [1, 400],
  ytm: [-5, 100],
  couponRate: [0, 100],
  /** A century bond at the lowest yields has 50; negative ones have a rule of their own. */
  duration: [0, 60],
  /** A century bond, announced a year ahead; a matured one has a rule of its own. */
  maturityYears: [0, 101],
  share: [0, 1],
  percentOfTotal: [0, 100],
} as const;

/** When each rule warns, by its stable name. */
export const WARNING_RULES = {
  'isin-check-digit': 'isin is not of the form of ISO 6166, or its check digit is wrong',
  'bid-above-ask': 'bidPrice is above askPrice; a price of 0 means no order',
  'maturity-before-date': 'maturityDate is before the date of the quote',
  'ytm-off-price': `ytm is more than ${WARNING_THRESHOLDS.ytm} percentage points from the one computed from lastPrice, else the mid of bid and ask, else the one that has an order; the price at ytm is more than ${WARNING_THRESHOLDS.price} from it as well, and not between bid and ask. Not checked where ytm is 0 (not computed) or the coupon is not known`,
  'price-jump': `the price is more than ${WARNING_THRESHOLDS.priceJump} % from the security's previous quote, at most ${WARNING_THRESHOLDS.days} days away`,
  'ytm-jump': `ytm is more than ${WARNING_THRESHOLDS.ytmJump} percentage points from the security's previous quote, at most ${WARNING_THRESHOLDS.days} days away; not checked where the coupon rate changed`,
  'price-with-ytm': `price and ytm both rose or both fell since the security's previous quote, at most ${WARNING_THRESHOLDS.days} days away: the price by more than ${WARNING_THRESHOLDS.sameWayPrice} % and ytm by more than ${WARNING_THRESHOLDS.sameWayYtm} percentage points; not checked where the coupon rate changed`,
  'isin-changed': 'isin is not that of the previous quote of the symbol',
  'isin-shared': 'a valid isin has quotes of several symbols on one day',
  'maturity-changed': 'maturityDate is not that of the previous quote of the symbol',
  'terms-changed':
    'couponRate, couponFrequency, pricing or issueDate is not what was kept for the security',
  'negative-figure':
    'a price, a volume or a duration of a quote is below 0, or a count or an amount of a series',
  'implausible-figure': `a figure is out of bounds: a price (but 0) ${formatBounds('price')} per 100 of face value, ytm ${formatBounds('ytm')} %, couponRate ${formatBounds('couponRate')} %, duration ${formatBounds('duration')} years, maturityYears ${formatBounds('maturityYears')}, a share ${formatBounds('share')}, a class of a fund ${formatBounds('percentOfTotal')} %`,
  'thin-day': `the newest day has fewer than ${WARNING_THRESHOLDS.thinDayShare} of the median of quotes on the ${WARNING_THRESHOLDS.thinDayDays} days before it, where that is at least ${WARNING_THRESHOLDS.thinDayMinQuotes}; a load warns of a day that it makes the newest`,
  'scale-jump': `the total of a series (where it has none, the sum of its figures) is ${WARNING_THRESHOLDS.scaleFactor} times that of the period before or more, or a part of 1/${WARNING_THRESHOLDS.scaleFactor} or less, where that is at most ${WARNING_THRESHOLDS.scalePeriods} periods away`,
  'parts-off-total':
    'the parts do not add up to the total, within 0.05 × (parts + 1) in the unit of the series',
  'shares-off-one': 'the shares do not add up to 1, within 1e-9',
  'list-above-total': 'the values of the list add up to more than the total',
  'rows-off-100':
    'the rows of a period do not add up to 100, within 0.05 × (rows + 1); gross rows may exceed it',
  'key-repeated': 'a key came again in the rows of one record, and its values were added up',
  'period-gap': 'periods are missing between the first and the last',
} as const satisfies Record<CheckName, string> & Record<string, string>;

function formatBounds(name: keyof typeof PLAUSIBLE_BOUNDS): string {
  return PLAUSIBLE_BOUNDS[name].join(' to ');
}

export type WarningRule = keyof typeof WARNING_RULES;

/** Shared by nearly all records, so that none allocates a list. */
export const NO_WARNINGS: readonly Warning[] = Object.freeze([]);
