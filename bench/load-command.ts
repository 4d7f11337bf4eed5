import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { formatDay, isWeekend, parseDay } from '../src/calendar.ts';
import { createQuotesFile, writeDayFile } from './generate-quotes-file.ts';
import { days, FOLDER } from './million-quotes.ts';
import { median, type ResultRow } from './result-table.ts';
import { type CommandUsage, loadCommand, runCommand } from './server-processes.ts';
import { hasSqlite, type IndexTiming, measureImport } from './sqlite-import.ts';

const ROUNDS = 3;
const MILLION = 1_000_000;
const MAX_MEGABYTES = 300;
const MAX_SECONDS = 0.3;
const DAYS_LOADED = 7;

/** Loading files: compared with a plain import, memory, and one day into a large database. */
export async function benchmarkLoadCommand(): Promise<ResultRow[]> {
  const file = await createQuotesFile(MILLION);
  const database = join(FOLDER, 'load.db');
  const imported = join(FOLDER, 'import.db');
  const loads: CommandUsage[] = [];
  const times: Record<IndexTiming, number>[] = [];
  const loadOnce = async () => {
    removeDatabase(database);
    loads.push(await loadInto(database, file));
  };
  const importOnce = async (indexes: IndexTiming) => {
    removeDatabase(imported);
    return hasSqlite ? await measureImport(imported, file, indexes) : Number.NaN;
  };
  // Alternately, because the second one finds a busier disk; each into its own file.
  for (let round = 0; round < ROUNDS; round++) {
    if (round % 2 === 0) {
      await loadOnce();
      const before = await importOnce('before');
      times.push({ before, after: await importOnce('after') });
    } else {
      const after = await importOnce('after');
      times.push({ after, before: await importOnce('before') });
      await loadOnce();
    }
  }
  removeDatabase(imported);
  const row = (indexes: IndexTiming, description: string): ResultRow => ({
    label: `loading 1,000,000 quotes from CSV into an empty database`,
    measured: `${formatMedianSeconds(loads.map((load) => load.seconds))} (${formatMedianSeconds(loads.map((load) => load.cpuSeconds))} of CPU)`,
    baseline: hasSqlite
      ? `${formatMedianSeconds(times.map((time) => time[indexes]))}, sqlite3 .import, indexes ${description}`
      : 'sqlite3 is not installed',
    ratio: hasSqlite
      ? median(loads.map((load, round) => (times[round]?.[indexes] ?? 0) / load.seconds))
      : undefined,
    aim: '≥ 0.35',
  });
  const rows = [row('before', 'created before'), row('after', 'created after')];
  rows.push(await measureDayLoads(database), await measureMemory(loads));
  removeDatabase(database);
  return rows;
}

/** Loading one day into a million quotes, without the start of the command. */
async function measureDayLoads(database: string): Promise<ResultRow> {
  const file = join(FOLDER, 'day.csv');
  const starts: number[] = [];
  const loads: number[] = [];
  for (const date of listWeekdaysAfter(days.at(-1) ?? '', DAYS_LOADED)) {
    await writeDayFile(file, date);
    const [tenor = ''] = loadCommand(file);
    starts.push((await runCommand([tenor, 'load', '--help'])).seconds);
    loads.push((await loadInto(database, file)).seconds);
  }
  const loadSeconds = median(loads) - median(starts);
  return {
    label: "loading a day's 500 quotes into 1,000,000",
    measured: `${loadSeconds.toFixed(2)} s beyond the ${median(starts).toFixed(2)} s of its start`,
    baseline: `${MAX_SECONDS} s`,
    ratio: loadSeconds / MAX_SECONDS,
    aim: '< 1',
  };
}

/** Whether a longer file needs more memory. */
async function measureMemory(million: readonly CommandUsage[]): Promise<ResultRow> {
  const loads = [await measureLoad(100_000), ...million, await measureLoad(4 * MILLION)];
  const [smallest, largest] = [loads[0]?.megabytes ?? 0, loads.at(-1)?.megabytes ?? 0];
  const typical = median(million.map(({ megabytes }) => megabytes));
  const max = Math.max(...loads.map(({ megabytes }) => megabytes));
  return {
    label: 'memory of a load: 100,000, 1,000,000 and 4,000,000 quotes',
    measured: `${[smallest, typical, largest].map(Math.round).join(', ')} MB at most`,
    baseline: `${MAX_MEGABYTES} MB`,
    ratio: max / MAX_MEGABYTES,
    aim: '< 1',
  };
}

async function measureLoad(count: number): Promise<CommandUsage> {
  const database = join(FOLDER, 'memory.db');
  removeDatabase(database);
  try {
    return await loadInto(database, await createQuotesFile(count));
  } finally {
    removeDatabase(database);
  }
}

function loadInto(database: string, file: string): Promise<CommandUsage> {
  return runCommand(loadCommand(file), { DATABASE_URL: `sqlite:${database}` });
}

/** Removes a SQLite database with its auxiliary files. */
export function removeDatabase(database: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) {
    rmSync(`${database}${suffix}`, { force: true });
  }
}

function listWeekdaysAfter(last: string, count: number): string[] {
  const weekdays: string[] = [];
  for (let day = parseDay(last) + 1; weekdays.length < count; day++) {
    if (!isWeekend(day)) weekdays.push(formatDay(day));
  }
  return weekdays;
}

function formatMedianSeconds(values: readonly number[]): string {
  return `${median(values).toFixed(1)} s`;
}
