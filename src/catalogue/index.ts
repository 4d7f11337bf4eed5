import type { Dataset } from './dataset.ts';
import { fundAllocation } from './fund-allocation.ts';
import { quotes } from './quotes.ts';
import * as series from './series/index.ts';

/** Every dataset there is. */
export const catalogue: readonly Dataset[] = [quotes, fundAllocation, ...Object.values(series)];
