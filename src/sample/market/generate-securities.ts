import { getCouponSchedule, isinCheckDigit } from '../../bonds/index.ts';
import { hashText } from '../random.ts';
import { roundTo } from '../rounding.ts';
import { generateBillIssues } from './bill-issues.ts';
import { generateCorporateIssues } from './corporate-issues.ts';
import { generateGovernmentIssues } from './government-issues.ts';
import type { Issue } from './issue.ts';
import type { YieldCurve } from './yield-curve.ts';

export interface SampleSecurity extends Issue {
  readonly isin: string;
  /** The coupon rate that holds on a settlement day, in percent; 0 where there are no coupons. */
  readonly couponRate: (settlement: number) => number;
}

/** Every security of the sample, those that matured included. */
export function generateSecurities(curve: YieldCurve): SampleSecurity[] {
  return [...generateBillIssues(), ...generateGovernmentIssues(), ...generateCorporateIssues()].map(
    (issue) => ({
      ...issue,
      isin: generateIsin(issue.symbol),
      couponRate: createCouponRate(issue, curve),
    }),
  );
}

// ZZ is user-assigned in ISO 3166: no country's agency will ever give these numbers out.
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
