import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { formatDay, isWeekend, parseDay } from '../src/calendar.ts';
import { dayFile, quotesFile } from './generate-quotes-file.ts';
import { days, FOLDER } from './million-quotes.ts';
import { median, type Row } from './result-table.ts';
import { type Finished, finished, loadQuotes } from './server-processes.ts';
import { hasSqlite, type Indexes, importTime } from './sqlite-import.ts';

const ROUNDS = 3;
const MILLION = 1_000_000;
const MOST_MEGABYTES = 300;
const MOST_SECONDS = 0.3;
const DAYS_LOADED = 7;

/** Loading files: against a plain import, in memory, and a day into what is there. */
export async function loading(): Promise<Row[]> {
  const file = await quotesFile(MILLION);
  const database = join(FOLDER, 'load.db');
  const imported = join(FOLDER, 'import.db');
  const loads: Finished[] = [];
  const times: Record<Indexes, number>[] = [];
  const loadOnce = async () => {
    remove(database);
    loads.push(await loadInto(database, file));
  };
  const importOnce = async (indexes: Indexes) => {
    remove(imported);
    return hasSqlite ? await importTime(imported, file, indexes) : Number.NaN;
  };
  // In turn, because whoever follows inherits a busy disk; each into a file of its own.
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
  remove(imported);
  const row = (indexes: Indexes, words: string): Row => ({
    what: `loading 1,000,000 quotes from CSV into an empty database`,
    measured: `${seconds(loads.map((load) => load.seconds))} (${seconds(loads.map((load) => load.cpuSeconds))} of CPU)`,
    against: hasSqlite
      ? `${seconds(times.map((time) => time[indexes]))}, sqlite3 .import, indexes ${words}`
      : 'sqlite3 is not here',
    ratio: hasSqlite
      ? median(loads.map((load, round) => (times[round]?.[indexes] ?? 0) / load.seconds))
      : undefined,
    aim: '≥ 0.35',
  });
  const rows = [row('before', 'there before'), row('after', 'made after')];
  rows.push(await oneDay(database), await memory(loads));
  remove(database);
  return rows;
}

/** A day's quotes into a million, beyond what any command takes to start. */
async function oneDay(database: string): Promise<Row> {
  const file = join(FOLDER, 'day.csv');
  const starts: number[] = [];
  const loads: number[] = [];
  for (const date of daysAfter(days.at(-1) ?? '', DAYS_LOADED)) {
    await dayFile(file, date);
    const [tenor = ''] = loadQuotes(file);
    starts.push((await finished([tenor, 'load', '--help'])).seconds);
    loads.push((await loadInto(database, file)).seconds);
  }
  const beyond = median(loads) - median(starts);
  return {
    what: "loading a day's 500 quotes into 1,000,000",
    measured: `${beyond.toFixed(2)} s beyond the ${median(starts).toFixed(2)} s of its start`,
    against: `${MOST_SECONDS} s`,
    ratio: beyond / MOST_SECONDS,
    aim: '< 1',
  };
}

/** Whether a load takes more memory for a longer file. */
async function memory(million: readonly Finished[]): Promise<Row> {
  const most = [await memoryOf(100_000), ...million, await memoryOf(4 * MILLION)];
  const [least, largest] = [most[0]?.megabytes ?? 0, most.at(-1)?.megabytes ?? 0];
  const middle = median(million.map(({ megabytes }) => megabytes));
  const all = Math.max(...most.map(({ megabytes }) => megabytes));
  return {
    what: 'memory of a load: 100,000, 1,000,000 and 4,000,000 quotes',
    measured: `${[least, middle, largest].map(Math.round).join(', ')} MB at most`,
    against: `${MOST_MEGABYTES} MB`,
    ratio: all / MOST_MEGABYTES,
    aim: '< 1',
  };
}

async function memoryOf(count: number): Promise<Finished> {
  const database = join(FOLDER, 'memory.db');
  remove(database);
  try {
    return await loadInto(database, await quotesFile(count));
  } finally {
    remove(database);
  }
}

function loadInto(database: string, file: string): Promise<Finished> {
  return finished(loadQuotes(file), { DATABASE_URL: `sqlite:${database}` });
}

/** Removes a database with what SQLite keeps beside it. */
export function remove(database: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) {
    rmSync(`${database}${suffix}`, { force: true });
  }
}

function daysAfter(last: string, count: number): string[] {
  const found: string[] = [];
  for (let day = parseDay(last) + 1; found.length < count; day++) {
    if (!isWeekend(day)) found.push(formatDay(day));
  }
  return found;
}

function seconds(values: readonly number[]): string {
  return `${median(values).toFixed(1)} s`;
}
