import type { Frequency } from '../../bonds/index.ts';
import type { quotes } from '../../catalogue/datasets/quotes.ts';
import type { DatasetRecord } from '../../catalogue/model/dataset.ts';

/** What is decided before a security is sold. Days are day numbers, both of them weekdays. */
export interface Issue {
  readonly symbol: string;
  readonly type: DatasetRecord<typeof quotes>['type'];
  readonly issued: number;
  readonly maturity: number;
  /** What buyers ask above the curve, in percent. */
  readonly spread: number;
  readonly coupon: CouponStructure;
}

/** Nothing before maturity, or coupons at a rate fixed once or at the start of every period. */
export type CouponStructure =
  | 'discount'
  | { readonly rate: 'fixed' | 'floating'; readonly frequency: Frequency };
