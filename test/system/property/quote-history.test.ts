import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import type { StoreReader } from '../../../src/store/open-store.ts';
import { getKey, publishAt } from '../../support/publish-at.ts';
import { Model } from '../../support/reference-model.ts';
import {
  anyDayQuery,
  anyRecordVariant,
  buildRecord,
  type Query,
} from '../../support/small-dataset.ts';
import { ENGINES } from '../../support/store.ts';

const touches = fc.uniqueArray(anyRecordVariant, {
  selector: ({ slot }) => slot,
  minLength: 1,
  maxLength: 5,
});
const anyStep = fc.record({ touched: touches, retires: fc.nat(3).map((chance) => chance === 0) });

for (const { name: engine, createStore, scaleRuns } of ENGINES) {
  describe(`${engine}: any history of quotes`, () => {
    test('is the same at every revision for a reader that is open while it is published', async () => {
      const steps = fc.array(anyStep, { minLength: 3, maxLength: 7 });
      const queries = fc.array(anyDayQuery, { minLength: 3, maxLength: 4 });
      await fc.assert(
        fc.asyncProperty(steps, queries, async (history, asked) => {
          await using store = await createStore();
          const model = new Model();
          const reader = store.reader();
          for (const [index, { touched, retires }] of history.entries()) {
            const records = touched.map((touch) => buildRecord(quotes, touch));
            const atMs = Date.UTC(2026, 4, 1, 0, index);
            const held = records.filter((record) => model.holds(quotes, record));
            if (retires) {
              model.retire(quotes, held, atMs);
              const retiredKeys = held.map((record) => getKey(quotes, record));
              await publishAt(store, atMs, quotes, { retiredKeys });
            } else {
              model.load(quotes, records, { replace: false, atMs, source: 'test' });
              await publishAt(store, atMs, quotes, { records });
            }
            for (const revision of model.revisions())
              await expectState(reader, model, revision, asked);
          }
          reader.close();
        }),
        { numRuns: scaleRuns(15) },
      );
    });
  });
}

async function expectState(
  reader: StoreReader,
  model: Model,
  asOf: number,
  queries: readonly Query[],
): Promise<void> {
  const texts = model.texts(quotes, asOf);
  for (const query of queries) {
    const { lastKey: _, ...result } = await reader.read({
      kind: 'quotes',
      dataset: quotes,
      asOf,
      ...query,
    });
    const expected = model.quotes(texts, query);
    expect(result).toEqual({
      revision: asOf,
      count: expected.length,
      records: expected.join(','),
    });
  }
}
