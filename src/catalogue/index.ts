import { couponRates } from './datasets/coupon-rates.ts';
import { datasets } from './datasets/datasets.ts';
import { fundAllocation } from './datasets/fund-allocation.ts';
import { funds } from './datasets/funds.ts';
import { holidays } from './datasets/holidays.ts';
import { quotes } from './datasets/quotes.ts';
import { securities } from './datasets/securities.ts';
import * as series from './datasets/series/index.ts';
import type { Dataset } from './model/dataset.ts';

export const catalogue: readonly Dataset[] = [
  quotes,
  fundAllocation,
  ...Object.values(series),
  securities,
  funds,
  holidays,
  couponRates,
  datasets,
];
