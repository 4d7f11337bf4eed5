import { statSync } from 'node:fs';
import { join } from 'node:path';
import { compareRequestRates } from './compare-rates.ts';
import { removeDatabase, writeNextDayFile } from './loads.ts';
import { measureStart } from './memory-and-startup.ts';
import { FOLDER } from './million-quotes.ts';
import { formatLimitRow, formatRateRow, type ResultRow } from './result-table.ts';
import { AUTHORIZATION_HEADERS, ROOT, runCommand, startTenor } from './server-processes.ts';
import { median } from './statistics.ts';

const STARTS = 11;
const MAX_MEGABYTES = 150;
const EXECUTABLE = join(FOLDER, 'tenor');
const SNAPSHOT = '/2.0/bnb/quote';

/** The executable against the command of a clone: its size, its start, its responses. */
export async function benchmarkExecutable(databaseUrl: string): Promise<ResultRow[]> {
  await runCommand([process.execPath, join(ROOT, 'scripts/build.ts'), '--outfile', EXECUTABLE]);
  const megabytes = statSync(EXECUTABLE).size / 1e6;
  const size = `${megabytes.toFixed(0)} MB`;
  return [
    formatLimitRow('the executable, size', size, megabytes, MAX_MEGABYTES, 'MB'),
    await compareSeconds(
      'tenor --version, the executable',
      async () => (await runCommand([EXECUTABLE, '--version'])).seconds,
      'bin/tenor',
      async () => (await runCommand([join(ROOT, 'bin/tenor'), '--version'])).seconds,
    ),
    await compareSmallLoads(),
    await compareSeconds(
      'tenor serve to the first response, the executable',
      () => measureStart(databaseUrl, [EXECUTABLE, 'serve']),
      'npm start',
      () => measureStart(databaseUrl),
    ),
    await compareResponses(databaseUrl),
  ];
}

async function compareSeconds(
  label: string,
  measure: () => Promise<number>,
  baseline: string,
  measureBaseline: () => Promise<number>,
): Promise<ResultRow> {
  const times: number[] = [];
  const baselineTimes: number[] = [];
  for (let round = 0; round < STARTS; round++) {
    times.push(await measure());
    baselineTimes.push(await measureBaseline());
  }
  const [seconds, baselineSeconds] = [median(times), median(baselineTimes)];
  return {
    label,
    measured: `${seconds.toFixed(3)} s`,
    baseline: `${baselineSeconds.toFixed(3)} s, ${baseline}`,
    ratio: seconds / baselineSeconds,
    aim: '< 1',
  };
}

/** Files of one day, each into a new database: mostly what every load takes. */
async function compareSmallLoads(): Promise<ResultRow> {
  const file = await writeNextDayFile(0);
  const database = join(FOLDER, 'day.db');
  const env = { DATABASE_URL: `sqlite:${database}` };
  const measure = async (command: string) => {
    removeDatabase(database);
    return (await runCommand([command, 'load', '--create', 'quotes', file], env)).seconds;
  };
  return compareSeconds(
    "tenor load of a day's 500 quotes into a new database, the executable",
    () => measure(EXECUTABLE),
    'bin/tenor',
    () => measure(join(ROOT, 'bin/tenor')),
  ).finally(() => removeDatabase(database));
}

async function compareResponses(databaseUrl: string): Promise<ResultRow> {
  const servers = [
    await startTenor(databaseUrl, {}, [EXECUTABLE]),
    await startTenor(databaseUrl),
  ] as const;
  const load = { targets: [SNAPSHOT], headers: AUTHORIZATION_HEADERS };
  const comparison = await compareRequestRates(
    { ...load, address: servers[0].address },
    { ...load, address: servers[1].address },
  ).finally(() => Promise.all(servers.map((server) => server.stop())));
  const label = 'the latest snapshot of 100 quotes, cached, from the executable';
  return formatRateRow(label, comparison, 'from the sources', 'about 1');
}
