import type { PricingTerms } from '../../bonds/index.ts';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { formatRounded } from '../../catalogue/model/consistency-check.ts';
import {
  NO_WARNINGS,
  PLAUSIBLE_BOUNDS,
  WARNING_THRESHOLDS,
  type Warning,
} from './warning-rules.ts';

const DAYS_A_YEAR = 365;

/** Warns of years to maturity and of a duration that do not follow from the days that are left. */
export function findYearsWarnings(
  { maturityYears, duration, ytm, type }: Quote,
  daysLeft: number,
  terms: PricingTerms | undefined,
): readonly Warning[] {
  const years = daysLeft / DAYS_A_YEAR;
  // A matured security has a rule of its own.
  if (years < 0) return NO_WARNINGS;
  const tolerance = WARNING_THRESHOLDS.years + WARNING_THRESHOLDS.yearsShare * years;
  let warnings = NO_WARNINGS;
  const deviation = Math.abs(maturityYears - years);
  if (deviation > tolerance && deviation > tolerance + getPrecision(maturityYears)) {
    const text = `maturityYears ${maturityYears} is not the ${years.toFixed(2)} from date to maturityDate`;
    warnings = [{ rule: 'maturity-years-off', field: 'maturityYears', value: maturityYears, text }];
  }
  // 0 is not computed, and what is out of bounds has a rule of its own.
  if (duration <= 0 || duration > PLAUSIBLE_BOUNDS.duration[1]) return warnings;
  const isLong =
    duration > years + tolerance && duration > years + tolerance + getPrecision(duration);
  const expected = isLong ? years : estimateDuration(years, ytm, type, terms);
  if (!isLong && (expected === undefined || isClose(duration, expected, type, terms)))
    return warnings;
  const basis = isLong ? 'years to maturity' : 'estimated with its coupon and ytm';
  const text = `duration ${duration} is far from the ${formatRounded(Number(expected?.toFixed(2)))} ${basis}`;
  return [...warnings, { rule: 'duration-off', field: 'duration', value: duration, text }];
}

/** One in the last decimal: some sources cut years off, 4.99 to 4. */
function getPrecision(value: number): number {
  return 10 ** -(String(value).split('.')[1]?.length ?? 0);
}

function isClose(
  duration: number,
  expected: number,
  type: string,
  terms: PricingTerms | undefined,
): boolean {
  const { durationShare, years, floaterYears } = WARNING_THRESHOLDS;
  const deviation = duration - expected;
  const tolerance = years + durationShare * expected;
  if (Math.abs(deviation) <= tolerance + getPrecision(duration)) return true;
  return deviation < 0 && duration <= floaterYears && !isDiscounted(type, terms);
}

function isDiscounted(type: string, terms: PricingTerms | undefined): boolean {
  if (terms?.pricing) return terms.pricing !== 'coupon';
  return type === 'tbill' && !terms?.couponRate;
}

/**
 * The modified duration of a bond between coupons, in closed form: bond arithmetic on each quote of a
 * large file would take as long as all else. Undefined where the terms are not known.
 */
function estimateDuration(
  years: number,
  ytm: number,
  type: string,
  terms: PricingTerms | undefined,
): number | undefined {
  const yieldRate = ytm / 100;
  if (isDiscounted(type, terms)) return years / (1 + yieldRate * Math.min(1, years));
  const { couponRate, couponFrequency: frequency = 2 } = terms ?? {};
  if (!couponRate || yieldRate <= 0) return undefined;
  const coupon = couponRate / 100;
  const growth = 1 + yieldRate / frequency;
  const remaining = growth + years * (coupon - yieldRate);
  const scale = coupon * (growth ** (years * frequency) - 1) + yieldRate;
  return (growth / yieldRate - remaining / scale) / growth;
}
