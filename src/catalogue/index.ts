import type { Dataset } from './dataset.ts';
import { fundAllocation } from './fund-allocation.ts';
import { quotes } from './quotes.ts';
import * as series from './series/index.ts';

/** Every dataset there is. */
export const catalogue: readonly Dataset[] = [quotes, fundAllocation, ...Object.values(series)];

/** The dataset of that name, or undefined. */
export function datasetNamed(name: string): Dataset | undefined {
  return catalogue.find((dataset) => dataset.name === name);
}
