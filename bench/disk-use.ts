import { statSync } from 'node:fs';
import { join } from 'node:path';
import { SQL } from 'bun';
import type { Quote } from '../src/catalogue/datasets/quotes.ts';
import { explainMissingBinaries } from '../test/support/postgres.ts';
import { writeQuotesFile } from './generate-quotes-file.ts';
import { loadCorrections, loadQuotes, removeDatabase } from './loads.ts';
import { days, FOLDER } from './million-quotes.ts';
import { getBenchServer } from './postgres/bench-server.ts';
import type { ResultRow } from './result-table.ts';

const LOADED_DAYS = days.slice(0, 200);
const LATER_DAYS = days.slice(200, 250);
const CORRECTED_DAYS = days.slice(50, 100);
const QUOTES_PER_DAY = 500;

/** Space of a quote and of a correction on disk, on both engines. */
export async function benchmarkDiskUse(): Promise<ResultRow[]> {
  const path = join(FOLDER, 'disk.db');
  removeDatabase(path);
  const rows = await measureGrowth('SQLite', `sqlite:${path}`, async () => statSync(path).size);
  removeDatabase(path);
  return explainMissingBinaries() ? rows : [...rows, ...(await measurePostgres())];
}

async function measurePostgres(): Promise<ResultRow[]> {
  const server = await getBenchServer();
  const url = await server.createDatabase();
  const pool = new SQL(url, { max: 1 });
  const rows = await measureGrowth('PostgreSQL', url, async () => {
    await pool.unsafe('VACUUM');
    const [row] = await pool.unsafe('SELECT pg_database_size(current_database())::int AS bytes');
    return row.bytes;
  });
  await pool.close();
  await server.dropDatabase(url);
  return rows;
}

/** Loads quotes in one file; then those of some days, and corrections, in a file for each day. */
async function measureGrowth(
  engine: string,
  url: string,
  readBytes: () => Promise<number>,
): Promise<ResultRow[]> {
  const file = join(FOLDER, 'disk.csv');
  const load = async (dates: readonly string[], change?: (quote: Quote) => Quote) => {
    await writeQuotesFile(file, dates, change);
    await (change ? loadCorrections : loadQuotes)(url, file);
  };
  await load(LOADED_DAYS);
  const loadedBytes = await readBytes();
  for (const day of LATER_DAYS) await load([day]);
  const laterBytes = await readBytes();
  for (const day of CORRECTED_DAYS) await load([day], (quote) => ({ ...quote, volume: 1 }));
  const correctedBytes = await readBytes();
  const createRow = (label: string, bytes: number, dates: readonly string[]): ResultRow => ({
    label: `disk on ${engine}: ${label}`,
    measured: `${Math.round(bytes / (dates.length * QUOTES_PER_DAY))} bytes`,
    baseline: '–',
    ratio: undefined,
    aim: '–',
  });
  return [
    createRow('a quote of a first load', loadedBytes, LOADED_DAYS),
    createRow("a quote of a day's load", laterBytes - loadedBytes, LATER_DAYS),
    createRow('a correction', correctedBytes - laterBytes, CORRECTED_DAYS),
  ];
}
