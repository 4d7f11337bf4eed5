import type { PricingTerms } from '../../bonds/index.ts';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import {
  NO_WARNINGS,
  PLAUSIBLE_BOUNDS,
  WARNING_THRESHOLDS,
  type Warning,
} from './warning-rules.ts';

const { years: minTolerance, yearsShare, durationShare, floaterYears } = WARNING_THRESHOLDS;

/** Warns about years to maturity and a duration that do not match the remaining days. */
export function findYearsWarnings(quote: Quote, daysLeft: number, terms: PricingTerms = {}) {
  const { maturityYears, duration } = quote;
  const years = daysLeft / 365;
  // A matured security has a rule of its own.
  if (years < 0) return NO_WARNINGS;
  let warnings = NO_WARNINGS;
  if (!isNear(maturityYears, years, yearsShare)) {
    const text = `maturityYears ${maturityYears} is not the ${years.toFixed(2)} from date to maturityDate`;
    warnings = [{ rule: 'maturity-years-off', field: 'maturityYears', value: maturityYears, text }];
  }
  // 0 means not computed, and durations out of bounds have a rule of their own.
  if (duration <= 0 || duration > PLAUSIBLE_BOUNDS.duration[1]) return warnings;
  const expected = estimateDuration(quote, years, terms) ?? Math.min(duration, years);
  if (isNear(duration, expected, durationShare)) return warnings;
  const mayFloat = duration < expected && duration <= floaterYears && !isDiscounted(quote, terms);
  if (mayFloat) return warnings;
  const text = `duration ${duration} is far from ${expected.toFixed(2)}, with ${years.toFixed(2)} years to maturity and ytm ${quote.ytm}`;
  const warning: Warning = { rule: 'duration-off', field: 'duration', value: duration, text };
  return [...warnings, warning];
}

/** Allows a share, and one unit of the last decimal, because some sources truncate 4.99 years to 4. */
function isNear(value: number, expected: number, share: number): boolean {
  const deviation = Math.abs(value - expected) - minTolerance - share * expected;
  return deviation <= 0 || deviation <= 10 ** -(String(value).split('.')[1]?.length ?? 0);
}

function isDiscounted({ type }: Quote, { pricing, couponRate }: PricingTerms): boolean {
  return pricing ? pricing !== 'coupon' : type === 'tbill' && !couponRate;
}

/**
 * The modified duration of a bond between coupons, in closed form, because exact bond arithmetic on each
 * quote of a large file would take as long as everything else. Undefined if the terms are unknown.
 */
function estimateDuration(quote: Quote, years: number, terms: PricingTerms): number | undefined {
  const yieldRate = quote.ytm / 100;
  if (isDiscounted(quote, terms)) return years / (1 + yieldRate * Math.min(1, years));
  const { couponRate, couponFrequency: frequency = 2 } = terms;
  if (!couponRate || yieldRate <= 0) return undefined;
  const coupon = couponRate / 100;
  const growth = 1 + yieldRate / frequency;
  const scale = coupon * (growth ** (years * frequency) - 1) + yieldRate;
  return (growth / yieldRate - (growth + years * (coupon - yieldRate)) / scale) / growth;
}
