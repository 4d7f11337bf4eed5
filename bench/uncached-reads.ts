import type { Database } from 'bun:sqlite';
import { quotes } from '../src/catalogue/datasets/quotes.ts';
import type { QuoteSelection, Store } from '../src/store/open-store.ts';
import { openReadOnly } from '../src/store/sqlite/connection.ts';
import { days, type KeptStore, symbols } from './million-quotes.ts';
import { median, type Row } from './result-table.ts';

const ROUNDS = 9;
const READS = 1_500;

/** Answers that were never asked for, against the raw prepared statement plus a join. */
export async function cold(store: KeptStore): Promise<Row[]> {
  // The reader's own settings, so that only the way to the records differs.
  const raw = openReadOnly(store.path);
  const rows = [
    await compare(store, '100-record history of one security', history, (iteration) => {
      const { security, dateRange } = history(iteration);
      const sql = `SELECT record FROM quotes_now WHERE symbol_key = ? AND date BETWEEN ? AND ?
        ORDER BY date DESC, symbol LIMIT 100`;
      return joined(raw, sql, [security, ...dateRange]);
    }),
    await compare(store, '100-record snapshot of one day', snapshot, (turn) => {
      const sql = 'SELECT record FROM quotes_now WHERE date = ? ORDER BY symbol LIMIT 100';
      return joined(raw, sql, [snapshot(turn).dateRange[0]]);
    }),
  ];
  raw.close();
  return rows;
}

type Ranged = QuoteSelection & { readonly dateRange: readonly [string, string] };

function history(iteration: number): Ranged & { readonly security: string } {
  const from = days[(iteration * 31) % (days.length - 200)] ?? '';
  const security = symbols[(iteration * 7_919) % symbols.length] ?? '';
  return { ...BASE, security, dateRange: [from, '9999-12-31'] };
}

function snapshot(iteration: number): Ranged {
  const day = days[(iteration * 7_919) % days.length] ?? '';
  return { ...BASE, dateRange: [day, day] };
}

const BASE = { kind: 'quotes', dataset: quotes, limit: 100 } as const;

function joined(database: Database, sql: string, values: readonly string[]): string {
  return database
    .query<never, string[]>(sql)
    .values(...values)
    .join(',');
}

async function compare(
  store: Store,
  what: string,
  selection: (iteration: number) => QuoteSelection,
  rawRead: (turn: number) => string,
): Promise<Row> {
  const reader = store.reader();
  const { records, count } = await reader.read(selection(1));
  if (count !== 100 || records !== rawRead(1)) throw new Error(`${what}: the two differ`);
  const rates: { ours: number; raw: number }[] = [];
  let turn = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const from = turn;
    turn += READS;
    const raw = perSecond(performance.now(), () => {
      for (let at = from; at < turn; at++) rawRead(at);
    });
    const started = performance.now();
    for (let at = from; at < turn; at++) await reader.read(selection(at));
    const ours = (READS * 1_000) / (performance.now() - started);
    // The first round warms both up.
    if (round > 0) rates.push({ ours, raw });
  }
  reader.close();
  return {
    what: `${what}, never asked before, of 1,000,000 quotes`,
    measured: `${Math.round(median(rates.map(({ ours }) => ours)))} reads/s`,
    against: `${Math.round(median(rates.map(({ raw }) => raw)))} reads/s, raw statement and join`,
    ratio: median(rates.map(({ ours, raw }) => ours / raw)),
    aim: '≥ 0.80',
  };
}

function perSecond(started: number, operation: () => void): number {
  operation();
  return (READS * 1_000) / (performance.now() - started);
}
