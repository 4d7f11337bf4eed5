import type { CheckName } from '../../catalogue/model/consistency-check.ts';

/** A warning rule, or one that only a check reports, because a load rejects the record. */
export type DataRule = WarningRule | 'future-date';

export interface Warning {
  readonly rule: DataRule;
  readonly field: string;
  readonly value: unknown;
  /** A line for people, with the figures and the tolerance. */
  readonly text: string;
}

/** Yields are in percentage points, prices per 100. */
export const WARNING_THRESHOLDS = {
  /** Tolerance between a quoted yield and the one computed from the price. */
  ytm: 0.02,
  /** The same for the price: half a unit of a price with two decimals, which matters near maturity. */
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
  /** Days are never thin if the median is below this. */
  thinDayMinQuotes: 4,
  /** With fewer comparable quotes on two consecutive days, nothing is concluded. */
  dayMinQuotes: 10,
  /** In simulated markets where most prices stay every day, neither rule warned in four years. */
  staleShare: 0.98,
  marketMinQuotes: 20,
  goneShare: 1 / 3,
  /** In the sample, half of the volumes moved by 3.4 at most. */
  volumeFactor: 20,
  /** By chance it is a half; it reaches this share of 25 quotes once in 100,000 days. */
  reversedShare: 0.9,
  reversedMinQuotes: 25,
  mainDayShare: 0.8,
  weekendWeeks: 4,
  /** Allows for conventions (ACT/360; Macaulay durations) and a few days. */
  yearsShare: 0.02,
  durationShare: 0.25,
  years: 0.05,
  /** A floater's duration is the time to its next rate, which is at most a year. */
  floaterYears: 1.1,
  /** In the sample and in real series, totals moved by a factor of at most 1.4, components by 1.6. */
  scaleFactor: 3,
  partFactor: 5,
  partShare: 0.1,
  scalePeriods: 4,
  /** Longer lists name every small institution, and these come, go and jump. */
  maxKeys: 12,
  swapFactor: 1.4,
  repeatedDigits: 10,
  overwrittenShare: 0.6,
  minOverwritten: 3,
  /** Smaller changes are due to rounding. */
  revisedShare: 0.001,
  revertedShare: 0.6,
  minReverted: 3,
  /** How many earlier periods of a series a change is compared with. */
  pastPeriods: 30,
  unusualChanges: 8,
  minMoves: 3,
  unusualFactor: 1.3,
  unusualMultiple: 5,
  /** In percentage points. */
  rateDifference: 0.5,
  /** Of the rate before: in 300 days of government yields, only changes of the policy rate were near it. */
  rateShare: 0.1,
  flowFactor: 20,
  /** Of what a series has moved twice before, as logarithms. */
  usualMultiple: 1.5,
  /** Of the sum of all series; and of an average series. */
  smallShare: 0.01,
  smallPart: 0.5,
  tinyShare: 0.001,
  tinyPart: 0.1,
  /** Of the series of a period; fewer may be alike by chance. */
  minSeries: 5,
  minRepeated: 3,
  shiftedShare: 0.8,
} as const;

/** The meaningful frequencies of funds. */
export const FREQUENCIES =
  'daily weekly fortnightly monthly quarterly semi-annual half-yearly annual yearly'.split(' ');

/** Bounds of plausible figures; a price of 0 means no order. */
export const PLAUSIBLE_BOUNDS = {
  price: [1, 400],
  ytm: [-5, 100],
  couponRate: [0, 100],
  /** A century bond at the lowest yields has 50; negative durations have a rule of their own. */
  duration: [0, 60],
  /** Allows a century bond announced a year ahead; matured ones have a rule of their own. */
  maturityYears: [0, 101],
  share: [0, 1],
  percentOfTotal: [0, 100],
} as const;

const T = WARNING_THRESHOLDS;

/** The conditions of warning rules, by stable name. */
export const WARNING_RULES = {
  'isin-check-digit': 'isin is not of the form of ISO 6166, or its check digit is wrong',
  'bid-above-ask': 'bidPrice is above askPrice; a price of 0 means no order',
  'maturity-before-date': 'maturityDate is before the date of the quote',
  'ytm-off-price': `ytm is more than ${WARNING_THRESHOLDS.ytm} percentage points from the one computed from lastPrice, else the mid of bid and ask, else the one that has an order; the price at ytm is more than ${WARNING_THRESHOLDS.price} from it as well, and not between bid and ask. Not checked if ytm is 0 (not computed) or the coupon is not known`,
  'unknown-convention':
    'a corporate bond with a fixed coupon has no dayCount: when its first quote is loaded, or its terms',
  'unknown-calendar':
    'the terms of a security name a calendar that has no holidays, so that only weekends are no business days',
  'price-jump': `the price is more than ${WARNING_THRESHOLDS.priceJump} % from the security's previous quote, at most ${WARNING_THRESHOLDS.days} days away`,
  'ytm-jump': `ytm is more than ${WARNING_THRESHOLDS.ytmJump} percentage points from the security's previous quote, at most ${WARNING_THRESHOLDS.days} days away; not checked if the coupon rate changed`,
  'price-with-ytm': `price and ytm both rose or both fell since the security's previous quote, at most ${WARNING_THRESHOLDS.days} days away: the price by more than ${WARNING_THRESHOLDS.sameWayPrice} % and ytm by more than ${WARNING_THRESHOLDS.sameWayYtm} percentage points; not checked if the coupon rate changed`,
  'isin-changed': 'isin is not that of the previous quote of the symbol',
  'isin-shared': 'a valid isin has quotes of several symbols on one day',
  'maturity-changed': 'maturityDate is not that of the previous quote of the symbol',
  'type-changed': 'type is not that of the previous quote of the symbol',
  'symbol-changed':
    'a load has a valid isin under another symbol than the published quotes of that isin, and not under theirs',
  'case-variant':
    'two symbols, two keys of a list (of a period or of the one before), or two classes of a fund differ by letter case alone',
  'terms-changed':
    'couponRate, couponFrequency, pricing or issueDate is not what was kept for the security',
  'negative-figure':
    'a price, a volume or a duration of a quote is below 0, or a count or an amount of a series; of a declared dataset, a figure of about the size of the one before if none of its series was below 0',
  'implausible-figure': `a figure is out of bounds: a price (but 0) ${formatBounds('price')} per 100 of face value, ytm ${formatBounds('ytm')} %, couponRate ${formatBounds('couponRate')} %, duration ${formatBounds('duration')} years, maturityYears ${formatBounds('maturityYears')}, a share ${formatBounds('share')}, a class of a fund ${formatBounds('percentOfTotal')} %, or what the checks of a declared dataset say`,
  'fractional-count':
    'a count of agents or institutions, or a measure that is declared without decimals, is no whole number',
  'maturity-years-off': `maturityYears is more than ${T.years} and ${percent(T.yearsShare)} from the years between date and maturityDate, and that is no rounding of them`,
  'duration-off': `duration is more than ${T.years} and ${percent(T.durationShare)} from that of a security with its coupon and ytm, or above the years to maturity if the coupon is not known; not if it is 0, nor if it is shorter and ${T.floaterYears} years or less, as those of floaters are`,
  'weekend-date': `the newest day of quotes, or one of up to 7 new days of a declared dataset, is a Saturday or Sunday, and none of that weekday in the ${T.weekendWeeks} weeks before it has records`,
  'stray-day': `at least ${percent(T.mainDayShare)} of the quotes of a load are of one day, at least ${T.dayMinQuotes}, and others are of other days`,
  'stale-prices': `at least ${percent(T.staleShare)} of the prices that moved on the day before the newest are the same on the newest, of at least ${T.marketMinQuotes}`,
  'securities-gone': `more than a third of the securities of the day before are not quoted on the newest, though not matured, of at least ${T.dayMinQuotes}; not if more than a sixth went on the day before`,
  'volume-jump': `three quarters of the volumes of the newest day (bid, ask or traded) are ${T.volumeFactor} times those of the securities on the day before or more, or 1/${T.volumeFactor} or less, of at least ${T.marketMinQuotes}`,
  'volumes-reversed': `bidVolume and askVolume may be swapped on the newest day: of at least ${T.reversedMinQuotes} securities, the larger one is another than on the day before in ${percent(T.reversedShare)}; or as many of at least ${T.dayMinQuotes} quotes with one price and one volume have the volume on the other side. A guess: if both sides have orders whose sizes change from day to day, a swap cannot be known`,
  'one-value': `a price, a volume, ytm or duration is the same (or 0) in all quotes of the newest day, of at least ${T.dayMinQuotes}, and had at least ${T.dayMinQuotes} values on the day before`,
  'thin-day': `the newest day has fewer than ${WARNING_THRESHOLDS.thinDayShare} of the median of quotes on the ${WARNING_THRESHOLDS.thinDayDays} days before it, if that is at least ${WARNING_THRESHOLDS.thinDayMinQuotes}; a load warns of a day that it makes the newest`,
  'scale-jump': `the total of a series (if it has none, the sum of its figures) is ${T.scaleFactor} times that of the period before or more, or 1/${T.scaleFactor} or less, if that is at most ${T.scalePeriods} periods away (twice the bound at 2 periods, and so on); or a component of at least ${percent(T.partShare)} of the total ${T.partFactor} times or 1/${T.partFactor}, or 0 on one side. Of a declared dataset, the total is the one that its checks name, and measures in several units are compared one by one; flows of days (${T.flowFactor} times all days before) and negative figures are not. Not if the figure is between others of the ${T.pastPeriods} periods before, or if the series moved nearly as much twice in them; of the newest period, not of a series with less than ${percent(T.tinyShare)} of the sum of all, or ${percent(T.smallShare)} if it is young or moved by a factor of ${T.unusualFactor} twice before`,
  'columns-swapped': `two components of a series, or of a list of at most ${T.maxKeys} keys, of at least 1 % of it, seem to have changed places since the period before: they moved by a factor of ${T.swapFactor} each, and with names exchanged by a third of that or less, and by less if more series of a declared dataset moved as much. Components of about one size are not distinguished`,
  'figures-repeated': `all figures of a period, or of the newest period of a fund, are those of the period before; not if they have fewer than ${T.repeatedDigits} digits in all, which may be by chance; of several series, all figures together, or those of one measure. Of days, and of one measure, only if they moved in the period before, on no weekend, and if they never stayed together in the ${T.pastPeriods} periods before. Of declared datasets, also those of an earlier one of these periods, if no two of them are alike`,
  'decimals-lost': `the figures of a measure in the newest period, of at least ${T.minSeries}, have fewer decimals than half of those in the period before, or more zeros at their ends`,
  'columns-equal': `two measures have one figure in each record of the newest period, of at least ${T.minRepeated}, and had two in most of those before`,
  'all-zero':
    'all figures of a period are 0; of a declared dataset, if those of the period before are not, and were more than a tiny share of the sum of all series',
  'unknown-key': `a key of a list of parts (provinces) is not in the period before, or the other way round; the first period is compared with the example of the dataset. Of other lists of at most ${T.maxKeys} keys, one with at least ${percent(T.partShare)} of the list`,
  'unusual-change': `a figure of a series moved by more than ${T.unusualMultiple} times what it moved in any of the ${T.unusualChanges} to ${T.pastPeriods} periods before (if it moved in at least ${T.minMoves} of them), and by a factor of ${T.unusualFactor} or, of a rate in percent, by ${T.rateDifference} percentage points and ${percent(T.rateShare)}; of the newest period, not of a series with less than ${percent(T.tinyShare)} of the sum of all`,
  'change-above-max':
    'a figure moved by more than the maxChange of its check, in percent, since the period before of the same dimension values',
  'unchanged-above-max': 'a figure is the same for more periods than the maxUnchanged of its check',
  'figures-shifted': `in the newest period, at least ${percent(T.shiftedShare)} of the figures of a measure, of at least ${T.minSeries}, are within 2 % of those of the next series in the period before, and most are not of their own`,
  'figures-reverted': `at least ${percent(T.revertedShare)} of the corrected records of a load, at least ${T.minReverted}, become what they were before an earlier correction: the file may be an old one`,
  'series-missing':
    'the newest period, or one of up to 7 new ones of a load, lacks series (combinations of dimension values) that the period before has, or has only blanks of them; not if the declaration says coverage open. Where it lacks half, a guard stops the load',
  'figure-above-other': 'a figure is above the one that its check says it is at most',
  'code-variant':
    'a value of a dimension differs from a code, from a published value or from another value of the load by letter case, spaces, signs a mark of a footnote or a wrong encoding alone; of a strict dimension, it is a problem instead',
  'code-total':
    'a value of a dimension is called a total, unlike all published ones and all codes; of a strict dimension, it is a problem instead',
  'unknown-code':
    'a value of a dimension of a declared dataset is not one of its codes; with codesStrict, it is a problem instead',
  'period-overwritten': `a load changes ${percent(T.overwrittenShare)} of the figures, at least 3, of a published period before the newest by more than ${percent(T.revisedShare)}: its label may be that of another period. Of a period with fewer figures, if the load adds no record`,
  'quarter-by-months':
    'with --periods sbp, a quarter that the file names by its months got its number in the fiscal year from July: Jan-Mar 26 is Q3 2026',
  'measure-missing':
    'a file has no column of a measure that is not required: all its records have null there, in the place of figures that were published before; or the newest period has none of a measure, or not half of at least 5, that the period before, which the load leaves as it is, has',
  'unknown-mark':
    'a mark beside a period or a figure of a series, or the text of its status, is not known, and is left out; the record has the status that its other marks say',
  'period-label':
    'two periods of a fund that is not daily, weekly or fortnightly have one label, or a label that is a month is not that of its date',
  'new-class':
    'a class that a published fund did not have came without figures for earlier periods, for which 0 is stored: each is named',
  'unknown-frequency': `the frequency of a fund is not one of ${FREQUENCIES.join(', ')}`,
  'parts-off-total':
    'the parts do not add up to the total, within 0.05 × (parts + 1) in the unit of the series',
  'shares-off-one': 'the shares do not add up to 1, within 1e-9',
  'list-above-total': 'the values of the list add up to more than the total',
  'rows-off-100':
    'the rows of a period do not add up to 100, within 0.05 × (rows + 1); gross rows may exceed it',
  'key-repeated': 'a key came again in the rows of one record, and its values were added up',
  'period-gap':
    'periods are missing between the first and the last; a load warns of gaps that it opens or narrows',
} as const satisfies Record<CheckName, string> & Record<string, string>;

function percent(share: number): string {
  return `${share * 100} %`;
}

function formatBounds(name: keyof typeof PLAUSIBLE_BOUNDS): string {
  return PLAUSIBLE_BOUNDS[name].join(' to ');
}

export type WarningRule = keyof typeof WARNING_RULES;

/** Shared by nearly all records, so that none allocates a list. */
export const NO_WARNINGS: readonly Warning[] = Object.freeze([]);
