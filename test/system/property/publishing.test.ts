import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { catalogue } from '../../../src/catalogue/index.ts';
import type { AnyRecord, Dataset } from '../../../src/catalogue/model/dataset.ts';
import { getStorageTable } from '../../../src/schema/storage-table.ts';
import type { Selection } from '../../../src/store/open-store.ts';
import { anyRecord } from '../../support/arbitrary.ts';
import { ENGINES } from '../../support/store.ts';

for (const { name: engine, createStore, scaleRuns } of ENGINES) {
  describe.each(catalogue.map((dataset) => [dataset.name, dataset] as const))(
    `${engine}: %s`,
    (_, dataset) => {
      test('any records are read as they were published', async () => {
        const records = fc.uniqueArray(anyRecord(dataset), {
          selector: (record) => JSON.stringify(keyOf(dataset, record)),
          minLength: 1,
          maxLength: 8,
        });
        await fc.assert(
          fc.asyncProperty(records, async (published) => {
            await using store = await createStore();
            await store.publish(dataset, published);
            const reader = store.reader();
            const read: unknown[] = [];
            for (const selection of selections(dataset, published)) {
              const result = await reader.read(selection);
              read.push(...JSON.parse(`[${result.records}]`));
            }
            expect(sorted(read)).toEqual(sorted(published.map(newestPeriodFirst)));
          }),
          { numRuns: scaleRuns(15) },
        );
      });
    },
  );
}

function keyOf(dataset: Dataset, record: AnyRecord): unknown[] {
  const { columns, key } = getStorageTable(dataset);
  return key.map(({ column }) => columns.find(({ name }) => name === column)?.getValue(record));
}

function selections(dataset: Dataset, records: readonly AnyRecord[]): Selection[] {
  switch (dataset.shape) {
    case 'series':
    case 'reference':
      return [{ kind: 'records', dataset }];
    case 'fund':
      return records.map((record) => ({
        kind: 'records',
        dataset,
        identifiers: [String(record.fund_id)],
      }));
    case 'quotes':
      return [{ kind: 'quotes', dataset, dateRange: ['0001-01-01', '9999-12-31'], limit: 10_000 }];
  }
}

/** Texts in a fixed order; JSON has no negative zero. */
function sorted(records: readonly unknown[]): string[] {
  return records.map((record) => JSON.stringify(record)).toSorted();
}

/** Funds are answered with their newest period first; other records are as they were. */
function newestPeriodFirst(record: AnyRecord): AnyRecord {
  const periods = record.periods as readonly { label: string; date: string }[] | undefined;
  const rows = record.rows as readonly { label: string; values: readonly number[] }[] | undefined;
  if (!periods || !rows) return record;
  const together = periods
    .map((period, index) => ({ period, values: rows.map(({ values }) => values[index]) }))
    .toSorted((a, b) => b.period.date.localeCompare(a.period.date));
  return {
    ...record,
    periods: together.map(({ period }) => period),
    rows: rows.map(({ label }, row) => ({
      label,
      values: together.map(({ values }) => values[row]),
    })),
  };
}
