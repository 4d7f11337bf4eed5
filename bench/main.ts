import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { explainMissingBinaries } from '../test/support/postgres.ts';
import {
  benchmarkCachedResponses,
  benchmarkCheckedStore,
  benchmarkNotModified,
  type CachedTarget,
} from './cached-responses.ts';
import { benchmarkUncachedResponses } from './cold/uncached-responses.ts';
import { benchmarkFairness } from './fairness.ts';
import { runGate } from './gate/run-gate.ts';
import { benchmarkLoadGrowth, benchmarkPostgresLoadGrowth } from './growth/load-growth.ts';
import { benchmarkGrowth, benchmarkPostgresGrowth } from './growth/measure-growth.ts';
import { benchmarkLoadCommand } from './load-command.ts';
import { measureResidentMemory, measureStartTimes } from './memory-and-startup.ts';
import { FOLDER, market, openMillionQuotes } from './million-quotes.ts';
import { benchmarkPeers } from './peers/peers.ts';
import { benchmarkPostgresLoad } from './postgres/load-command.ts';
import { openPostgresMillionQuotes } from './postgres/million-quotes.ts';
import { compareReleases } from './releases/compare-releases.ts';
import { ENGINES } from './releases/engines.ts';
import { writeResults } from './result-page.ts';
import { formatResultTable, type ResultRow } from './result-table.ts';

/** The benchmarks by name: `npm run bench -- loading`. */
const BENCHMARKS: Readonly<Record<string, () => Promise<ResultRow[]>>> = {
  cold: async () => {
    const { url } = await openMillionQuotes();
    return benchmarkUncachedResponses(
      { url, market, engine: 'SQLite' },
      { history: '≥ 0.75', 'history-by-isin': '≥ 0.75', snapshot: '≥ 0.75' },
    );
  },
  hot: async () => {
    const aims = { all: '≥ 0.85', off: '≥ 0.92' };
    return [
      ...(await benchmarkCachedResponses(SERIES, aims)),
      ...(await benchmarkCachedResponses(await openLatestSnapshot(), aims)),
    ];
  },
  known: async () =>
    benchmarkNotModified(await openLatestSnapshot(), { all: '≥ 0.70', off: '≥ 0.90' }),
  checked: async () => [await benchmarkCheckedStore(await openLatestSnapshot())],
  footprint: async () => {
    const { url } = await openMillionQuotes();
    return [await measureResidentMemory(url), await measureStartTimes(url)];
  },
  fairness: async () => benchmarkFairness(await openMillionQuotes()),
  loading: benchmarkLoadCommand,
  'postgres-cold': async () => {
    const { url } = await openPostgresMillionQuotes();
    return benchmarkUncachedResponses(
      { url, market, engine: 'PostgreSQL' },
      { history: '≥ 0.75', 'history-by-isin': '≥ 0.75', snapshot: '≥ 0.75' },
    );
  },
  'postgres-loading': benchmarkPostgresLoad,
};

const SERIES: CachedTarget = {
  name: 'a series',
  databaseUrl: `sqlite:${join(FOLDER, 'sample.db')}`,
  target: '/3.0/alternate/atm-transactions-annual-volume',
};

async function openLatestSnapshot(): Promise<CachedTarget> {
  const { url } = await openMillionQuotes();
  return {
    name: 'the latest snapshot of 100 quotes',
    databaseUrl: url,
    target: '/2.0/bnb/quote',
  };
}

/** Benchmarks that need much time, disk or other software: they run only if they are named. */
const LONG_BENCHMARKS: typeof BENCHMARKS = {
  peers: benchmarkPeers,
  growth: benchmarkGrowth,
  'postgres-growth': benchmarkPostgresGrowth,
  'load-growth': benchmarkLoadGrowth,
  'postgres-load-growth': benchmarkPostgresLoadGrowth,
};

const USAGE = `bench [--write] [NAME]…
bench gate [--against REF]
bench releases --against FOLDER [--seed N] [--ignore HEADER]… [ENGINE]…

NAME is ${Object.keys(BENCHMARKS).join(' | ')}; without a name, all of these run.
Only if it is named: ${Object.keys(LONG_BENCHMARKS).join(' | ')}. growth and postgres-growth create
databases of 10,000,000 quotes, about 10 GB each. peers installs other servers by pip into a temporary
folder.
--write puts the results into docs/performance.md.
gate compares this tree with REF, else with the previous release, and fails on a loss.
releases compares the responses of this tree with those of an earlier checkout in FOLDER, with its
packages, over a database that the earlier one made: ENGINE is ${Object.keys(ENGINES).join(' | ')}.
--ignore names headers that differ on purpose.`;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    against: { type: 'string' },
    seed: { type: 'string' },
    ignore: { type: 'string', multiple: true },
  },
});
const allBenchmarks = { ...BENCHMARKS, ...LONG_BENCHMARKS };
if (positionals.length === 1 && positionals[0] === 'gate') {
  process.exit((await runGate(options.against)) ? 0 : 1);
}
// Databases are made in it.
mkdirSync(FOLDER, { recursive: true });
if (positionals[0] === 'releases') process.exit((await runReleases()) ? 0 : 1);
if (
  positionals.some((name) => !Object.hasOwn(allBenchmarks, name)) ||
  options.against ||
  options.seed
)
  failUsage();

const selectedNames = positionals.length > 0 ? positionals : Object.keys(BENCHMARKS);
const missingReason = explainMissingBinaries();
for (const [name, measure] of Object.entries(allBenchmarks)) {
  if (!selectedNames.includes(name)) continue;
  if (missingReason && /^postgres/.test(name)) {
    console.error(`${name} is skipped: ${missingReason}`);
    continue;
  }
  const started = performance.now();
  const rows = await measure();
  const seconds = Math.round((performance.now() - started) / 1_000);
  console.error(`${name} took ${seconds} s`);
  console.log(`### ${name}\n\n${formatResultTable(rows)}`);
  if (options.write) await writeResults(name, rows, Object.keys(allBenchmarks));
}

function failUsage(): never {
  console.error(USAGE);
  process.exit(2);
}

async function runReleases(): Promise<boolean> {
  const [, ...engines] = positionals;
  const seed = Number(options.seed ?? Date.now() % 100_000);
  const isKnown = engines.every((name) => Object.hasOwn(ENGINES, name));
  if (!isKnown || !Number.isInteger(seed) || options.against === undefined) failUsage();
  const ignoredHeaders = (options.ignore ?? []).map((name) => name.toLowerCase());
  return compareReleases({ earlier: resolve(options.against), engines, seed, ignoredHeaders });
}
