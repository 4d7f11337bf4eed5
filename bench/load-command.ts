import { statSync } from 'node:fs';
import { join } from 'node:path';
import { createQuotesFile } from './generate-quotes-file.ts';
import {
  CORRECTIONS,
  loadCorrections,
  loadQuotes,
  measureCommandStart,
  removeDatabase,
  writeCorrectionsFile,
  writeNextDayFile,
} from './loads.ts';
import { FOLDER } from './million-quotes.ts';
import { formatLimitRow, type ResultRow } from './result-table.ts';
import type { CommandUsage } from './server-processes.ts';
import { hasSqlite, type IndexTiming, measureImport } from './sqlite-import.ts';
import { median } from './statistics.ts';

const ROUNDS = 3;
const MILLION = 1_000_000;
const MAX_MEGABYTES = 300;
const MAX_DAY_SECONDS = 0.3;
const MAX_BYTES_PER_QUOTE = 900;
const DAYS_LOADED = 7;

/** Loading files: compared with a plain import, disk, memory, one day and corrections. */
export async function benchmarkLoadCommand(): Promise<ResultRow[]> {
  const database = join(FOLDER, 'load.db');
  try {
    const { loads, imports } = await loadAlternately(database);
    return [
      createImportRow(loads, imports, 'before'),
      createImportRow(loads, imports, 'after'),
      measureDisk(database),
      await measureDayLoads(`sqlite:${database}`),
      await measureCorrections(`sqlite:${database}`),
      await measureMemory(loads),
    ];
  } finally {
    removeDatabase(database);
  }
}

type ImportSeconds = Record<IndexTiming, number>;

/** Loads and imports the same file in turn, each into its own file; the last load stays. */
async function loadAlternately(database: string) {
  const file = await createQuotesFile(MILLION);
  const imported = join(FOLDER, 'import.db');
  const loads: CommandUsage[] = [];
  const imports: ImportSeconds[] = [];
  const loadOnce = async () => {
    removeDatabase(database);
    loads.push(await loadQuotes(`sqlite:${database}`, file));
  };
  const importOnce = async (indexes: IndexTiming) => {
    removeDatabase(imported);
    return hasSqlite ? await measureImport(imported, file, indexes) : Number.NaN;
  };
  // The order changes, because the second one finds a busier disk.
  for (let round = 0; round < ROUNDS; round++) {
    if (round % 2 === 0) await loadOnce();
    const before = await importOnce('before');
    imports.push({ before, after: await importOnce('after') });
    if (round % 2 === 1) await loadOnce();
  }
  removeDatabase(imported);
  return { loads, imports };
}

function createImportRow(
  loads: readonly CommandUsage[],
  imports: readonly ImportSeconds[],
  indexes: IndexTiming,
): ResultRow {
  const ratios = loads.map((load, round) => (imports[round]?.[indexes] ?? 0) / load.seconds);
  return {
    label: 'loading 1,000,000 quotes from CSV into an empty database',
    measured: `${formatMedianSeconds(loads.map((load) => load.seconds))} (${formatMedianSeconds(loads.map((load) => load.cpuSeconds))} of CPU)`,
    baseline: hasSqlite
      ? `${formatMedianSeconds(imports.map((time) => time[indexes]))}, sqlite3 .import, indexes created ${indexes}`
      : 'sqlite3 is not installed',
    ratio: hasSqlite ? median(ratios) : undefined,
    aim: '≥ 0.35',
  };
}

function measureDisk(database: string): ResultRow {
  const bytes = statSync(database).size / MILLION;
  const label = 'disk, 1,000,000 quotes loaded from CSV';
  const measured = `${Math.round(bytes)} bytes a quote`;
  return formatLimitRow(label, measured, bytes, MAX_BYTES_PER_QUOTE, 'bytes');
}

/** Loading one day into a million quotes, without the start of the command. */
async function measureDayLoads(databaseUrl: string): Promise<ResultRow> {
  const starts: number[] = [];
  const loads: number[] = [];
  for (let day = 0; day < DAYS_LOADED; day++) {
    starts.push(await measureCommandStart());
    loads.push((await loadQuotes(databaseUrl, await writeNextDayFile(day))).seconds);
  }
  const seconds = median(loads) - median(starts);
  return formatLimitRow(
    "loading a day's 500 quotes into 1,000,000",
    `${seconds.toFixed(2)} s beyond the ${median(starts).toFixed(2)} s of its start`,
    seconds,
    MAX_DAY_SECONDS,
    's',
  );
}

async function measureCorrections(databaseUrl: string): Promise<ResultRow> {
  const loads: CommandUsage[] = [];
  for (let round = 0; round < ROUNDS; round++)
    loads.push(await loadCorrections(databaseUrl, await writeCorrectionsFile(round)));
  return {
    label: `correcting ${CORRECTIONS.toLocaleString('en')} of 1,000,000 quotes`,
    measured: formatMedianSeconds(loads.map(({ seconds }) => seconds)),
    baseline: '–',
    ratio: undefined,
    aim: 'as before (gate)',
  };
}

/** Whether a longer file needs more memory. */
async function measureMemory(million: readonly CommandUsage[]): Promise<ResultRow> {
  const longer = [await measureLoad(4 * MILLION), await measureLoad(10 * MILLION)];
  const typical = median(million.map(({ megabytes }) => megabytes));
  const peaks = [typical, ...longer.map(({ megabytes }) => megabytes)];
  return formatLimitRow(
    'memory of a load: 1,000,000, 4,000,000 and 10,000,000 quotes',
    `${peaks.map(Math.round).join(', ')} MB at most`,
    Math.max(...[...million, ...longer].map(({ megabytes }) => megabytes)),
    MAX_MEGABYTES,
    'MB',
  );
}

async function measureLoad(count: number): Promise<CommandUsage> {
  const database = join(FOLDER, 'memory.db');
  removeDatabase(database);
  try {
    return await loadQuotes(`sqlite:${database}`, await createQuotesFile(count));
  } finally {
    removeDatabase(database);
  }
}

function formatMedianSeconds(values: readonly number[]): string {
  return `${median(values).toFixed(1)} s`;
}
