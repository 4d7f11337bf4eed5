import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import type { AnyRecord } from '../../src/catalogue/model/dataset.ts';
import type { Declaration } from '../../src/catalogue/model/declaration.ts';
import { serializeRecord } from '../../src/schema/serialize-record.ts';
import type { ObservationSelection } from '../../src/store/open-store.ts';
import { closeAfterEach, shareStore } from '../support/close-after-each.ts';
import { publishAt } from '../support/publish-at.ts';
import { ENGINES } from '../support/store.ts';

const { closing } = closeAfterEach();

const RATES: Declaration = {
  name: 'rates',
  title: 'Rates',
  period: { kind: 'day', field: 'date' },
  dimensions: [
    { field: 'tenor', title: 'Tenor' },
    { field: 'bank', title: 'Bank' },
  ],
  measures: [{ field: 'bid', title: 'Bid', unit: 'percent', kind: 'rate' }],
};
const rates = createDeclaredDataset(RATES);
const others = createDeclaredDataset({ ...RATES, name: 'others' });

const DAYS = ['2026-01-01', '2026-01-02', '2026-01-05', '2026-02-01'];
const TENORS = ['1M', '12M', '6M'];
const BANKS = ['a', 'B', 'a,b'];
const toOrdinal = (day: string) => rates.period?.kind.toOrdinal(day) ?? 0;

/** Records that a revision has: every third is absent from the first, or has another figure. */
function buildRecords(revision: number): AnyRecord[] {
  return DAYS.flatMap((date) =>
    TENORS.flatMap((tenor) => BANKS.map((bank) => ({ date, tenor, bank, bid: 1 }))),
  ).flatMap((record, index) => {
    if (index % 3 === 0 && revision === 1) return [];
    return index % 3 === 1 ? [{ ...record, bid: revision }] : [record];
  });
}

const anySelection = fc.record({
  from: fc.option(fc.constantFrom(...DAYS.map(toOrdinal)), { nil: undefined }),
  to: fc.option(fc.constantFrom(...DAYS.map(toOrdinal)), { nil: undefined }),
  dimensions: fc.tuple(
    fc.option(fc.array(fc.constantFrom(...TENORS, 'none'), { minLength: 1, maxLength: 4 }), {
      nil: undefined,
    }),
    fc.option(fc.uniqueArray(fc.constantFrom(...BANKS), { minLength: 1 }), { nil: undefined }),
  ),
  isOldestFirst: fc.boolean(),
  isBySeries: fc.boolean(),
  asOf: fc.constantFrom(1, 2, 3, undefined),
});

type SelectedRecords = typeof anySelection extends fc.Arbitrary<infer T> ? T : never;

const compareBytes = (a: unknown, b: unknown) =>
  Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));

/** The texts of the records that a selection means, in their order. */
function select(selection: SelectedRecords): string[] {
  const { from = -Infinity, to = Infinity, dimensions, isOldestFirst, isBySeries } = selection;
  const { asOf = 2 } = selection;
  const [tenors = TENORS, banks = BANKS] = dimensions;
  const direction = isOldestFirst ? 1 : -1;
  return buildRecords(Math.min(asOf, 2))
    .filter(({ date, tenor, bank }) => {
      const place = toOrdinal(String(date));
      return (
        place >= from &&
        place <= to &&
        tenors.includes(String(tenor)) &&
        banks.includes(String(bank))
      );
    })
    .sort(
      (a, b) =>
        (isBySeries ? 0 : direction * compareBytes(a.date, b.date)) ||
        compareBytes(a.tenor, b.tenor) ||
        compareBytes(a.bank, b.bank) ||
        compareBytes(a.date, b.date),
    )
    .map((record) => serializeRecord(rates, record));
}

for (const { name: engine, createStore, scaleRuns } of ENGINES) {
  describe(`${engine}: a declared dataset with dimensions`, () => {
    const store = shareStore(async () => {
      const store = await createStore();
      for (const revision of [1, 2]) {
        await publishAt(store, `2026-03-0${revision}T00:00:00Z`, rates, {
          records: buildRecords(revision),
        });
      }
      // Another dataset with the same periods and dimension values, whose records are all replaced.
      for (const bid of [7, 8])
        await publishAt(store, `2026-03-0${bid}T00:00:00Z`, others, {
          records: buildRecords(2).map((record) => ({ ...record, bid })),
          replace: true,
        });
      return store;
    });

    test('is read by periods and dimension values in either order, in pages, as of any revision', async () => {
      const reader = closing(store().reader());
      await fc.assert(
        fc.asyncProperty(anySelection, fc.integer({ min: 1, max: 9 }), async (selected, limit) => {
          const selection = {
            kind: 'observations',
            dataset: rates,
            limit,
            ...selected,
          } as ObservationSelection;
          const expected = select(selected);
          const texts: string[] = [];
          let after: ObservationSelection['after'];
          do {
            const page = await reader.read({
              ...selection,
              asNdjson: true,
              includeTotal: true,
              ...(after && { after }),
            });
            expect(page.total).toBe(expected.length);
            texts.push(...page.records.split('\n').filter((text) => text !== ''));
            after = page.lastKey;
          } while (after);
          expect(texts).toEqual(expected);
        }),
        { numRuns: scaleRuns(100) },
      );
    });

    test('has the values of its dimensions as of any revision', async () => {
      const reader = closing(store().reader());
      const tenors = TENORS.toSorted();
      expect(await reader.dimensionValues(rates)).toEqual([tenors, ['B', 'a', 'a,b']]);
      // The first bank came with the second revision.
      expect(await reader.dimensionValues(rates, 1)).toEqual([tenors, ['B', 'a,b']]);
      expect(await reader.dimensionValues(others, 2)).toEqual([[], []]);
    });

    test('has each change of a key once, and a record with its status', async () => {
      const reader = closing(store().reader());
      const { changes } = await reader.netChanges(rates, { since: 1, until: 2, limit: 100 });
      expect(changes).toHaveLength(24);
      const { records } = await reader.read({
        kind: 'observations',
        dataset: rates,
        limit: 1,
        isOldestFirst: true,
        includesStatus: true,
      });
      expect(JSON.parse(records)).toEqual({
        date: '2026-01-01',
        tenor: '12M',
        bank: 'B',
        bid: 2,
        status: 'A',
      });
    });
  });
}
