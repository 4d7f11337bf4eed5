import type { Database } from 'bun:sqlite';
import { quotes } from '../src/catalogue/datasets/quotes.ts';
import type { QuoteSelection, Store } from '../src/store/open-store.ts';
import { openReadOnly } from '../src/store/sqlite/connection.ts';
import { days, type FileStore, symbols } from './million-quotes.ts';
import { median, type ResultRow } from './result-table.ts';

const ROUNDS = 9;
const READS = 1_500;

/** Uncached reads, compared with the prepared statement and a join of its rows. */
export async function benchmarkUncachedReads(store: FileStore): Promise<ResultRow[]> {
  // The settings of the reader, so that only the code differs.
  const raw = openReadOnly(store.path);
  const rows = [
    await compare(store, '100-record history of one security', selectHistory, (iteration) => {
      const { security, dateRange } = selectHistory(iteration);
      const sql = `SELECT record FROM quotes_now WHERE symbol_key = ? AND date BETWEEN ? AND ?
        ORDER BY date DESC, symbol LIMIT 100`;
      return queryJoined(raw, sql, [security, ...dateRange]);
    }),
    await compare(store, '100-record snapshot of one day', selectSnapshot, (iteration) => {
      const sql = 'SELECT record FROM quotes_now WHERE date = ? ORDER BY symbol LIMIT 100';
      return queryJoined(raw, sql, [selectSnapshot(iteration).dateRange[0]]);
    }),
  ];
  raw.close();
  return rows;
}

type RangeSelection = QuoteSelection & { readonly dateRange: readonly [string, string] };

function selectHistory(iteration: number): RangeSelection & { readonly security: string } {
  const from = days[(iteration * 31) % (days.length - 200)] ?? '';
  const security = symbols[(iteration * 7_919) % symbols.length] ?? '';
  return { ...BASE, security, dateRange: [from, '9999-12-31'] };
}

function selectSnapshot(iteration: number): RangeSelection {
  const day = days[(iteration * 7_919) % days.length] ?? '';
  return { ...BASE, dateRange: [day, day] };
}

const BASE = { kind: 'quotes', dataset: quotes, limit: 100 } as const;

function queryJoined(database: Database, sql: string, values: readonly string[]): string {
  return database
    .query<never, string[]>(sql)
    .values(...values)
    .join(',');
}

async function compare(
  store: Store,
  name: string,
  selection: (iteration: number) => QuoteSelection,
  rawRead: (iteration: number) => string,
): Promise<ResultRow> {
  const reader = store.reader();
  const { records, count } = await reader.read(selection(1));
  if (count !== 100 || records !== rawRead(1)) throw new Error(`${name}: the two differ`);
  const rates: { reader: number; raw: number }[] = [];
  let next = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const from = next;
    next += READS;
    const raw = measurePerSecond(performance.now(), () => {
      for (let index = from; index < next; index++) rawRead(index);
    });
    const started = performance.now();
    for (let index = from; index < next; index++) await reader.read(selection(index));
    const readerRate = (READS * 1_000) / (performance.now() - started);
    // The first round warms both up.
    if (round > 0) rates.push({ reader: readerRate, raw });
  }
  reader.close();
  return {
    label: `${name}, uncached, of 1,000,000 quotes`,
    measured: `${Math.round(median(rates.map((round) => round.reader)))} reads/s`,
    baseline: `${Math.round(median(rates.map((round) => round.raw)))} reads/s, raw statement and join`,
    ratio: median(rates.map((round) => round.reader / round.raw)),
    aim: '≥ 0.80',
  };
}

function measurePerSecond(started: number, operation: () => void): number {
  operation();
  return (READS * 1_000) / (performance.now() - started);
}
