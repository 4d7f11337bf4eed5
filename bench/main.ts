import { join } from 'node:path';
import { explainMissingBinaries } from '../test/support/postgres.ts';
import { benchmarkAsOfReads } from './as-of-reads.ts';
import { benchmarkAsOfRequests } from './as-of-requests.ts';
import { benchmarkCachedResponses } from './cached-responses.ts';
import { benchmarkExplorer } from './explorer.ts';
import { benchmarkExports } from './exports.ts';
import { benchmarkFairness } from './fairness.ts';
import { benchmarkFormats } from './formats.ts';
import { benchmarkGrowth } from './growth/measure-growth.ts';
import { openHistoryDatabase } from './history-database.ts';
import { benchmarkLoadCommand } from './load-command.ts';
import { loadGenerator } from './load-generator.ts';
import { measureResidentMemory, measureStartTimes } from './memory-and-startup.ts';
import { FOLDER, openMillionQuotes, symbols } from './million-quotes.ts';
import { benchmarkNotModified } from './not-modified.ts';
import { benchmarkPostgresCachedResponses } from './postgres/cached-responses.ts';
import { benchmarkPostgresLoad } from './postgres/load-command.ts';
import { openPostgresMillionQuotes } from './postgres/million-quotes.ts';
import { benchmarkPostgresUncachedReads } from './postgres/uncached-reads.ts';
import { formatResultTable, type ResultRow } from './result-table.ts';
import { benchmarkServingWhileLoading } from './serving-while-loading.ts';
import { benchmarkTokenLookup } from './token-lookup.ts';
import { benchmarkUncachedReads } from './uncached-reads.ts';

const SERIES = '/3.0/alternate/atm-transactions-annual-volume';
const START_MARKER = '<!-- measured -->';
const END_MARKER = '<!-- /measured -->';

/** The benchmarks by name: `npm run bench -- loading`. */
const BENCHMARKS: Readonly<Record<string, () => Promise<ResultRow[]>>> = {
  hot: async () => {
    const { url } = await openMillionQuotes();
    return [
      ...(await benchmarkCachedResponses(`sqlite:${join(FOLDER, 'sample.db')}`, {
        'a series': SERIES,
      })),
      ...(await benchmarkCachedResponses(url, {
        'the latest snapshot of 100 quotes': '/2.0/bnb/quote',
      })),
    ];
  },
  known: async () => {
    const { url } = await openMillionQuotes();
    return benchmarkNotModified(url, 'the latest snapshot of 100 quotes', '/2.0/bnb/quote');
  },
  cold: async () => benchmarkUncachedReads(await openMillionQuotes()),
  tokens: async () => [await benchmarkTokenLookup()],
  footprint: async () => {
    const { url } = await openMillionQuotes();
    return [await measureResidentMemory(url), await measureStartTimes(url)];
  },
  exports: async () => benchmarkExports((await openMillionQuotes()).url),
  fairness: async () => benchmarkFairness(await openMillionQuotes()),
  formats: benchmarkFormats,
  explorer: benchmarkExplorer,
  loading: benchmarkLoadCommand,
  'while-loading': async () => benchmarkServingWhileLoading((await openMillionQuotes()).path),
  past: async () => {
    const store = await openHistoryDatabase();
    return [await benchmarkAsOfRequests(store.url), ...(await benchmarkAsOfReads(store))];
  },
  'postgres-cold': async () => benchmarkPostgresUncachedReads(await openPostgresMillionQuotes()),
  'postgres-hot': async () => {
    const [postgres, sqlite] = [await openPostgresMillionQuotes(), await openMillionQuotes()];
    return benchmarkPostgresCachedResponses(postgres.url, sqlite.url, {
      'the latest snapshot of 100 quotes': '/2.0/bnb/quote',
      'the newest quote of one security': `/2.0/bnb/quote?symbol=${symbols[0]}`,
    });
  },
  'postgres-loading': benchmarkPostgresLoad,
};

/** Slow benchmarks, which run only if they are named or with --write. */
const LONG_BENCHMARKS: typeof BENCHMARKS = {
  growth: benchmarkGrowth,
};

const positionals = process.argv.slice(2);
const shouldWrite = positionals.includes('--write');
const requestedNames = positionals.filter((word) => word !== '--write');
const allBenchmarks = { ...BENCHMARKS, ...LONG_BENCHMARKS };
const unknownName = requestedNames.find((name) => !Object.hasOwn(allBenchmarks, name));
if (unknownName !== undefined || (shouldWrite && requestedNames.length > 0)) {
  const names = Object.keys(BENCHMARKS).join(' | ');
  console.error(`bench [${names} | growth]… or bench --write, for all of them
growth creates databases of 10,000,000 quotes, up to 10 GB, and takes a quarter of an hour: it runs
only if it is named, or with --write`);
  process.exit(2);
}

const selectedNames =
  requestedNames.length > 0
    ? requestedNames
    : Object.keys(shouldWrite ? allBenchmarks : BENCHMARKS);
const missingReason = explainMissingBinaries();
const rows: ResultRow[] = [];
for (const [name, measure] of Object.entries(allBenchmarks)) {
  if (!selectedNames.includes(name)) continue;
  if (missingReason && /^(postgres|growth)/.test(name))
    console.error(`${name} is skipped: ${missingReason}`);
  else rows.push(...(await measure()));
}
const resultTable = formatResultTable(rows, loadGenerator.name);
console.log(resultTable);

if (shouldWrite) {
  const file = join(import.meta.dirname, '..', 'docs', 'performance.md');
  const page = await Bun.file(file).text();
  const [before] = page.split(START_MARKER);
  const [, after] = page.split(END_MARKER);
  await Bun.write(file, `${before}${START_MARKER}\n${resultTable}${END_MARKER}${after}`);
}
