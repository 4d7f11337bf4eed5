import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import type { Declaration } from '../../src/catalogue/model/declaration.ts';
import { declareDatasets } from '../../src/publish/declare-dataset.ts';
import { loadFiles } from '../../src/publish/load/load-files.ts';
import { formatDay, parseDay } from '../../src/shared/calendar.ts';
import type { Publisher, Store } from '../../src/store/open-store.ts';
import { quote } from './quote-fixture.ts';

/** The loads of one database in their order, of the same rows with figures of a version. */
export const LOADS = {
  'adding the rows': { version: 0 },
  'correcting them, without earlier versions': { version: 1 },
  'correcting them, with 1 earlier version each': { version: 2 },
  'a third correction': { version: 3 },
  'a fourth correction': { version: 4 },
  'a fifth correction': { version: 1 },
  'correcting them, with 5 earlier versions each': { version: 2 },
  'loading the same rows again': { version: 2 },
  'replacing them by half of them': { version: 2, isHalf: true },
} as const satisfies Record<string, { readonly version: number; readonly isHalf?: true }>;

export type LoadName = keyof typeof LOADS;

/** The loads whose cost is measured; the others make history. */
export const MEASURED_LOADS = (Object.keys(LOADS) as LoadName[]).filter(
  (name) => !/^a \w+ correction$/.test(name),
);

/** Rows of one shape of dataset, of which there can be any number. */
export interface RowKind {
  readonly name: string;
  readonly dataset: Dataset;
  readonly declaration?: Declaration;
  buildRecord(index: number, version: number): AnyRecord;
}

const PER_PERIOD = 50;
const FIRST_DAY = parseDay('1980-01-01');
const toDay = (index: number) => formatDay(FIRST_DAY + index);
const buildFigures = (index: number, version: number) => ({
  bid: 100 + (index % 17) / 8 + version / 64,
  offer: 101 + (index % 13) / 8 + version / 64,
});

const measure = (field: string) => ({ field, title: field, unit: 'index', kind: 'index' }) as const;
const declare = (name: string, others: Partial<Declaration>): Declaration => ({
  name,
  title: name,
  period: { kind: 'day', field: 'date' },
  measures: [measure('bid'), measure('offer')],
  ...others,
});
const toKind = (
  declaration: Declaration,
  buildRecord: RowKind['buildRecord'],
  name: string,
): RowKind => ({ name, dataset: createDeclaredDataset(declaration), declaration, buildRecord });

/** Every shape that records are stored in, with and without dimensions. */
export const ROW_KINDS: readonly RowKind[] = [
  {
    name: 'quotes',
    dataset: quotes,
    buildRecord: (index, version) =>
      quote({
        date: toDay(Math.floor(index / PER_PERIOD)),
        symbol: `S${index % PER_PERIOD}`,
        volume: 100 + version,
      }),
  },
  toKind(
    declare('by-code', {
      dimensions: ['code', 'place'].map((field) => ({ field, title: field })),
    }),
    (index, version) => ({
      date: toDay(Math.floor(index / PER_PERIOD)),
      code: `C${index % PER_PERIOD}`,
      place: 'P',
      ...buildFigures(index, version),
    }),
    'a declared dataset with dimensions',
  ),
  toKind(
    declare('plain', {}),
    (index, version) => ({ date: toDay(index), ...buildFigures(index, version) }),
    'a declared dataset without dimensions',
  ),
  {
    name: 'funds',
    dataset: fundAllocation,
    buildRecord(index, version) {
      const { rows } = fundAllocation.example;
      const values = [10 + version, 20];
      return {
        ...fundAllocation.example,
        fund_id: `F${index}`,
        rows: [{ label: 'Cash', values }, ...rows.slice(1)],
      };
    },
  },
  {
    name: 'securities',
    dataset: securities,
    buildRecord: (index, version) => ({
      ...securities.example,
      symbol: `S${index}`,
      isin: null,
      name: `name ${version}`,
    }),
  },
];

/** Loads the rows of a kind again and again, each by a publisher of its own; calls `measure` with each load. */
export async function runLoads(
  { publisher: createPublisher }: Pick<Store, 'publisher'>,
  { dataset, declaration, buildRecord }: RowKind,
  { rows, folder }: { readonly rows: number; readonly folder: string },
  measure: (name: LoadName, load: () => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const path = join(folder, 'growing.ndjson');
  const publish = async (callback: (publisher: Publisher) => Promise<unknown>) => {
    const publisher = createPublisher();
    await callback(publisher).finally(() => publisher.close());
  };
  const origin = { source: 'test', author: 'test' };
  if (declaration)
    await publish((publisher) =>
      declareDatasets(publisher, { declarations: [declaration], ...origin }),
    );
  for (const [name, load] of Object.entries(LOADS) as [LoadName, (typeof LOADS)[LoadName]][]) {
    const isHalf = 'isHalf' in load;
    const count = isHalf ? rows / 2 : rows;
    const records = Array.from({ length: count }, (_, index) => buildRecord(index, load.version));
    writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    const options = { dataset, files: [{ path, name: 'growing.ndjson' }], mapping: {} };
    const allowed = { canCorrectMany: true, canRetireMany: true, isPartial: true };
    await measure(name, () =>
      publish((publisher) =>
        loadFiles(publisher, { ...options, ...allowed, author: 'test', replace: isHalf }),
      ),
    );
  }
  rmSync(path);
}
