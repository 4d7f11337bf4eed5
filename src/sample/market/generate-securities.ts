import { getCouponSchedule, isinCheckDigit } from '../../bonds/index.ts';
import { hashText } from '../random.ts';
import { roundTo } from '../rounding.ts';
import { generateIssues, type Issue } from './issues.ts';
import type { YieldCurve } from './yield-curve.ts';

export interface SampleSecurity extends Issue {
  readonly isin: string;
  /** The coupon rate on a settlement day, in percent; 0 without coupons. */
  readonly couponRate: (settlement: number) => number;
}

/** Every security of the sample, including matured ones. */
export function generateSecurities(curve: YieldCurve): SampleSecurity[] {
  return generateIssues().map((issue) => ({
    ...issue,
    isin: generateIsin(issue.symbol),
    couponRate: createCouponRate(issue, curve),
  }));
}

// ISO 3166 reserves ZZ for users: no agency will ever assign these numbers.
function generateIsin(symbol: string): string {
  const body = `ZZ${String(hashText(symbol) % 1e9).padStart(9, '0')}`;
  return `${body}${isinCheckDigit(body)}`;
}

function createCouponRate(issue: Issue, curve: YieldCurve): SampleSecurity['couponRate'] {
  const { coupon, issued, maturity, spread } = issue;
  if (coupon === 'discount') return () => 0;
  if (coupon.rate === 'fixed') {
    const rate = roundTo(curve(issued, (maturity - issued) / 365) + spread, 2);
    return () => rate;
  }
  return (settlement) => {
    const { previous } = getCouponSchedule({ maturity, frequency: coupon.frequency }, settlement);
    return roundTo(curve(Math.max(previous, issued), 1 / coupon.frequency) + spread, 2);
  };
}
