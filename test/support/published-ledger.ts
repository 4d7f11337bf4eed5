import { datasets, toDeclarationRecord } from '../../src/catalogue/datasets/datasets.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { onlineBankingAnnualVolume as online } from '../../src/catalogue/datasets/series/index.ts';
import type { AnyRecord } from '../../src/catalogue/model/dataset.ts';
import type { ObservationStatus } from '../../src/catalogue/model/observation-status.ts';
import { createSigner } from '../../src/store/ledger-signer.ts';
import type { DatasetChange } from '../../src/store/open-store.ts';
import { writeSigners } from '../../src/store/sqlite/signers-file.ts';
import { KIBOR, kibor } from './declared-rates.ts';
import { runSql } from './postgres/databases.ts';
import { encodeRow, getKey } from './publish-at.ts';
import { quote } from './quote-fixture.ts';
import { runSqlite, type TestStore } from './store.ts';

/** One publication of a history. */
export interface Step extends Partial<Omit<DatasetChange, 'dataset' | 'rows' | 'at'>> {
  readonly dataset: DatasetChange['dataset'];
  readonly records?: readonly AnyRecord[];
  readonly retired?: readonly AnyRecord[];
  readonly status?: ObservationStatus;
  readonly day: number;
}

export const [a, b, c] = [quote({ symbol: 'A' }), quote({ symbol: 'B' }), quote({ symbol: 'C' })];
const rate = { date: '2026-06-01', tenor: '1M', bid: 11, offer: 12 };

/** Additions, a correction, a retirement, a declaration, a status, and a load with all that is noted of it. */
export const HISTORY: readonly Step[] = [
  { dataset: quotes, records: [a, b, c], day: 1 },
  { dataset: datasets, records: [toDeclarationRecord(KIBOR)], day: 2 },
  { dataset: kibor, records: [rate, { ...rate, tenor: '6M' }], day: 3 },
  { dataset: quotes, records: [{ ...a, volume: 77 }], retired: [c], day: 4 },
  { dataset: online, records: [online.example], status: 'P', day: 5 },
  {
    dataset: quotes,
    records: [quote({ symbol: 'D' })],
    day: 6,
    files: [{ name: 'day.csv', bytes: 10, sha256: 'ab'.repeat(32) }],
    report: { warnings: [] },
    options: { options: { replace: true } },
  },
];

export const ORIGIN = 'prices.example/log';
/** The real key of the publisher, and another one of the same name. */
export const signer = createSigner(ORIGIN);
export const otherSigner = createSigner(ORIGIN);

/** Publishes a history, signed with a key, to an empty store: with the same steps, all is the same. */
export async function publishHistory(
  store: TestStore,
  steps: readonly Step[] = HISTORY,
  { key, line } = signer,
): Promise<void> {
  if (store.url.startsWith('sqlite:')) writeSigners(store.url.slice('sqlite:'.length), [line]);
  else await runSql(store.url, `INSERT INTO ledger_signers VALUES ('${line}')`);
  await change(
    store,
    `INSERT INTO ledger_keys (number, verifier_key, size) VALUES (1, '${key}', 0)`,
  );
  await publishSteps(store, steps);
}

/** Publishes more, with the key that the store has. */
export async function publishSteps(store: TestStore, steps: readonly Step[]): Promise<void> {
  const reader = store.reader();
  const newest = await reader.revision();
  reader.close();
  const publisher = store.publisher({ createSalt: countSalts(newest) });
  try {
    // In one transaction, which takes less time.
    await publisher.transaction(async ({ publish }) => {
      for (const { records = [], retired = [], status, day, ...step } of steps) {
        const { dataset } = step;
        await publish({
          source: `day ${day}`,
          author: 'publisher',
          ...step,
          rows: [records.map((record) => encodeRow(dataset, record, status))],
          retiredKeys: retired.map((record) => getKey(dataset, record)),
          at: new Date(Date.UTC(2026, 7, day)),
        });
      }
    });
  } finally {
    publisher.close();
  }
}

/** By the number of the revision: however many are published at once, they are the same. */
function countSalts(count: number): () => Uint8Array {
  return () => new Uint8Array(16).fill(++count);
}

/** Changes what is stored without Tenor. */
export async function change(store: TestStore, ...statements: readonly string[]): Promise<void> {
  for (const sql of statements) {
    if (store.url.startsWith('sqlite:')) runSqlite(store.url.slice('sqlite:'.length), sql);
    else await runSql(store.url, sql);
  }
}

/** Makes a table of a store what it is in another one. */
export async function copyTable(from: TestStore, to: TestStore, table: string): Promise<void> {
  const rows = await from.query(`SELECT * FROM ${table}`);
  const format = (value: unknown) =>
    typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
  const inserts = rows.map(
    (row) =>
      `INSERT INTO ${table} (${Object.keys(row)}) VALUES (${Object.values(row).map(format)})`,
  );
  await change(to, [`DELETE FROM ${table}`, ...inserts].join(';'));
}
