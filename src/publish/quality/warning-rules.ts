import type { CheckName } from '../../catalogue/model/consistency-check.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';

export interface Warning {
  readonly rule: WarningRule;
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
  /** Quotes further apart are not compared. */
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
} as const;

interface RuleDeclaration {
  /** Whether it can warn of a dataset; by default, if it is one of its consistency checks. */
  readonly appliesTo?: (dataset: Dataset) => boolean;
  readonly when: string;
}

const isOfQuotes = ({ shape }: Dataset) => shape === 'quotes';
const isSeries = ({ shape }: Dataset) => shape === 'series';
const hasKeyedList = ({ shape, fields }: Dataset) =>
  shape === 'series' && Object.values(fields).some(({ kind }) => kind === 'list');

/** When each rule warns, by its stable name. */
export const WARNING_RULES = {
  'isin-check-digit': {
    appliesTo: isOfQuotes,
    when: 'isin is not of the form of ISO 6166, or its check digit is wrong',
  },
  'bid-above-ask': { when: 'bidPrice is above askPrice; a price of 0 means no order' },
  'maturity-before-date': {
    appliesTo: isOfQuotes,
    when: 'maturityDate is before the date of the quote',
  },
  'ytm-off-price': {
    appliesTo: isOfQuotes,
    when: `ytm is more than ${WARNING_THRESHOLDS.ytm} percentage points from the one computed from lastPrice, else the mid of bid and ask, else the one that has an order; the price at ytm is more than ${WARNING_THRESHOLDS.price} from it as well, and not between bid and ask. Not checked where ytm is 0 (not computed) or the coupon is not known`,
  },
  'price-jump': {
    appliesTo: isOfQuotes,
    when: `the price is more than ${WARNING_THRESHOLDS.priceJump} % from the security's previous quote, at most ${WARNING_THRESHOLDS.days} days away`,
  },
  'ytm-jump': {
    appliesTo: isOfQuotes,
    when: `ytm is more than ${WARNING_THRESHOLDS.ytmJump} percentage points from the security's previous quote, at most ${WARNING_THRESHOLDS.days} days away; not checked where the coupon rate changed`,
  },
  'price-with-ytm': {
    appliesTo: isOfQuotes,
    when: `price and ytm both rose or both fell since the security's previous quote, at most ${WARNING_THRESHOLDS.days} days away: the price by more than ${WARNING_THRESHOLDS.sameWayPrice} % and ytm by more than ${WARNING_THRESHOLDS.sameWayYtm} percentage points; not checked where the coupon rate changed`,
  },
  'isin-changed': {
    appliesTo: isOfQuotes,
    when: 'isin is not that of the previous quote of the symbol',
  },
  'maturity-changed': {
    appliesTo: isOfQuotes,
    when: 'maturityDate is not that of the previous quote of the symbol',
  },
  'terms-changed': {
    appliesTo: isOfQuotes,
    when: 'couponRate, couponFrequency, pricing or issueDate is not what was kept for the security',
  },
  'negative-figure': { appliesTo: isOfQuotes, when: 'a price, a volume or a duration is below 0' },
  'parts-off-total': {
    when: 'the parts do not add up to the total, within 0.05 × (parts + 1) in the unit of the series',
  },
  'shares-off-one': { when: 'the shares do not add up to 1, within 1e-9' },
  'list-above-total': { when: 'the values of the list add up to more than the total' },
  'rows-off-100': {
    when: 'the rows of a period do not add up to 100, within 0.05 × (rows + 1); gross rows may exceed it',
  },
  'key-repeated': {
    appliesTo: hasKeyedList,
    when: 'a key came again in the rows of one record, and its values were added up',
  },
  'period-gap': { appliesTo: isSeries, when: 'periods are missing between the first and the last' },
} as const satisfies Record<CheckName, RuleDeclaration> & Record<string, RuleDeclaration>;

export type WarningRule = keyof typeof WARNING_RULES;

export function isWarningRule(name: string): name is WarningRule {
  return Object.hasOwn(WARNING_RULES, name);
}

/** The rules that can warn of a dataset. */
export function listWarningRules(dataset: Dataset): WarningRule[] {
  const declarations: Readonly<Record<string, RuleDeclaration>> = WARNING_RULES;
  return Object.keys(WARNING_RULES)
    .filter(isWarningRule)
    .filter((rule) => {
      const isCheck = dataset.checks.some(({ name }) => name === rule);
      return declarations[rule]?.appliesTo?.(dataset) ?? isCheck;
    });
}

/** Shared by nearly all records, so that none allocates a list. */
export const NO_WARNINGS: readonly Warning[] = Object.freeze([]);
