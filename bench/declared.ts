import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Declaration } from '../src/catalogue/model/declaration.ts';
import { buildColdTargets, pickHistory } from './cold/requests.ts';
import { compareRequestRates } from './compare-rates.ts';
import {
  createQuotesFile,
  fileMarket,
  formatSymbol,
  generateQuotes,
} from './generate-quotes-file.ts';
import { loadQuotes, removeDatabase } from './loads.ts';
import { days, FOLDER } from './million-quotes.ts';
import { formatRateRow, type ResultRow } from './result-table.ts';
import {
  AUTHORIZATION_HEADERS,
  type CommandUsage,
  ROOT,
  runCommand,
  startTenor,
} from './server-processes.ts';
import { median } from './statistics.ts';

const ROUNDS = 3;
/** Fewer for a first look: `RECORDS=100000 bun bench/main.ts declared`. */
const RECORDS = Number(process.env.RECORDS ?? 1_000_000);
const PER_DAY = Math.ceil(RECORDS / days.length);
const TARGETS_PER_ROUND = 20_000;

const measure = (field: string, unit: string, kind: 'flow' | 'rate') => ({
  field,
  title: field,
  unit,
  kind,
});
const DECLARATION: Declaration = {
  name: 'rates',
  title: 'Rates by code',
  period: { kind: 'day', field: 'date' },
  dimensions: [{ field: 'code', title: 'Code' }],
  measures: [
    measure('bid', 'percent', 'rate'),
    measure('offer', 'percent', 'rate'),
    measure('volume', 'PKR', 'flow'),
  ],
};

/** A declared dataset of as many records as quotes: loading it, and cold histories of one code. */
export async function benchmarkDeclared(): Promise<ResultRow[]> {
  const database = join(FOLDER, 'declared.db');
  const url = `sqlite:${database}`;
  const [quotesFile, ratesFile] = [await createQuotesFile(RECORDS), await createRatesFile()];
  try {
    const loads: { quotes: CommandUsage; rates: CommandUsage }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      removeDatabase(database);
      // Each is the first of its tables in turn.
      const rates = async () => {
        await declare(url);
        return runTenor(url, 'load', 'rates', ratesFile);
      };
      const first = round % 2 === 0 ? await loadQuotes(url, quotesFile) : undefined;
      const loaded = await rates();
      loads.push({ quotes: first ?? (await loadQuotes(url, quotesFile)), rates: loaded });
    }
    return [
      createLoadRow(loads, 'seconds'),
      createLoadRow(loads, 'cpuSeconds'),
      await compareReads(url),
    ];
  } finally {
    removeDatabase(database);
  }
}

function createLoadRow(
  loads: readonly { quotes: CommandUsage; rates: CommandUsage }[],
  unit: 'seconds' | 'cpuSeconds',
): ResultRow {
  const times = (name: 'quotes' | 'rates') =>
    `${median(loads.map((load) => load[name][unit])).toFixed(1)} s`;
  return {
    label: `loading ${RECORDS.toLocaleString('en')} records of a declared dataset from CSV${unit === 'seconds' ? '' : ', time of the processor'}`,
    measured: times('rates'),
    baseline: `${times('quotes')}, as many quotes`,
    ratio: median(loads.map(({ quotes, rates }) => quotes[unit] / rates[unit])),
    aim: '≥ 0.80',
  };
}

async function compareReads(url: string): Promise<ResultRow> {
  const server = await startTenor(url);
  const createLoad = (build: (round: number) => string[]) => (round: number) => ({
    address: server.address,
    targets: build(round),
    headers: AUTHORIZATION_HEADERS,
  });
  try {
    const comparison = await compareRequestRates(
      createLoad(buildTargets),
      createLoad((round) => buildColdTargets({ ...fileMarket, symbols: CODES }, 'history', round)),
    );
    const label = '100-record history of one value of a dimension, uncached, over HTTP';
    return formatRateRow(label, comparison, '100-record history of one security', '≥ 0.80');
  } finally {
    await server.stop();
  }
}

const CODES = fileMarket.symbols.slice(0, PER_DAY);

function buildTargets(round: number): string[] {
  return Array.from({ length: TARGETS_PER_ROUND }, (_, index) => {
    const { name, from, to } = pickHistory(CODES, days, round * TARGETS_PER_ROUND + index);
    return `/datasets/rates?code=${name}&from=${from}&to=${to}`;
  });
}

async function declare(url: string): Promise<void> {
  const file = join(FOLDER, 'rates.json');
  await Bun.write(file, JSON.stringify(DECLARATION));
  await runTenor(url, 'dataset', 'declare', '--create', file);
}

const runTenor = (url: string, ...command: readonly string[]) =>
  runCommand([join(ROOT, 'bin/tenor'), ...command], { DATABASE_URL: url });

/** The rates of a file of as many quotes. */
async function createRatesFile(): Promise<string> {
  const path = join(FOLDER, `rates-${RECORDS}.csv`);
  if (existsSync(path)) return path;
  const writer = Bun.file(`${path}.new`).writer();
  writer.write('date,code,bid,offer,volume\n');
  for (const date of days) {
    const records = generateQuotes(date, PER_DAY).map(
      ({ ytm, duration, volume }, index) =>
        `${date},${formatSymbol(index)},${ytm},${duration},${volume}\n`,
    );
    writer.write(records.join(''));
    await writer.flush();
  }
  await writer.end();
  renameSync(`${path}.new`, path);
  return path;
}
