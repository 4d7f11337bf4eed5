import { couponSchedule, isinCheckDigit } from '../../bonds/index.ts';
import { hashOf } from '../random.ts';
import { rounded } from '../rounding.ts';
import { billIssues } from './bill-issues.ts';
import { corporateIssues } from './corporate-issues.ts';
import type { Curve } from './curve.ts';
import { governmentIssues } from './government-issues.ts';
import type { Issue } from './issue.ts';

export interface Security extends Issue {
  readonly isin: string;
  /** The coupon rate that holds on a settlement day, in percent; 0 where there are no coupons. */
  readonly couponRate: (settlement: number) => number;
}

/** Every security of the sample, those that matured included. */
export function sampleSecurities(curve: Curve): Security[] {
  return [...billIssues(), ...governmentIssues(), ...corporateIssues()].map((issue) => ({
    ...issue,
    isin: isinOf(issue.symbol),
    couponRate: couponRateOf(issue, curve),
  }));
}

// ZZ is user-assigned in ISO 3166: no country's agency will ever give these numbers out.
function isinOf(symbol: string): string {
  const body = `ZZ${String(hashOf(symbol) % 1e9).padStart(9, '0')}`;
  return `${body}${isinCheckDigit(body)}`;
}

function couponRateOf(issue: Issue, curve: Curve): Security['couponRate'] {
  const { pays, issued, maturity, margin } = issue;
  if (pays === 'discount') return () => 0;
  if (pays.rate === 'fixed') {
    const rate = rounded(curve(issued, (maturity - issued) / 365) + margin, 2);
    return () => rate;
  }
  return (settlement) => {
    const { previous } = couponSchedule({ maturity, frequency: pays.frequency }, settlement);
    return rounded(curve(Math.max(previous, issued), 1 / pays.frequency) + margin, 2);
  };
}
