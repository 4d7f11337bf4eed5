import fc from 'fast-check';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import type { Store } from '../../src/store/open-store.ts';
import { getKey, publishAt } from './publish-at.ts';
import type { Model } from './reference-model.ts';
import { anyRecordVariant, buildRecord, type RecordVariant } from './small-dataset.ts';

/** A change of a dataset: records to add or correct, to replace all others with, or to retire. */
export interface Step {
  readonly action: 'load' | 'replace' | 'retire';
  readonly variants: readonly RecordVariant[];
}

export const anyVariants = (minLength: number) =>
  fc.uniqueArray(anyRecordVariant, { selector: ({ slot }) => slot, minLength, maxLength: 9 });

export const anyStep: fc.Arbitrary<Step> = fc.record({
  action: fc.constantFrom('load', 'load', 'load', 'replace', 'retire'),
  variants: anyVariants(1),
});

/** Publishes a step, and applies it to the model. */
export async function publishStep(
  store: Store,
  model: Model,
  dataset: Dataset,
  { action, variants }: Step,
  atMs: number,
): Promise<void> {
  const records = variants.map((variant) => buildRecord(dataset, variant));
  if (action === 'retire') {
    const current = records.filter((record) => model.holds(dataset, record));
    model.retire(dataset, current, atMs);
    const retiredKeys = current.map((record) => getKey(dataset, record));
    await publishAt(store, atMs, dataset, { retiredKeys });
    return;
  }
  const replace = action === 'replace';
  model.load(dataset, records, { replace, atMs, source: 'test' });
  await publishAt(store, atMs, dataset, { records, replace });
}
