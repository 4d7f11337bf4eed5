import { join } from 'node:path';
import { explainMissingBinaries } from '../test/support/postgres.ts';
import { past } from './as-of-reads.ts';
import { pastRequests } from './as-of-requests.ts';
import { hot } from './cached-responses.ts';
import { explorer } from './explorer.ts';
import { exports } from './exports.ts';
import { formats } from './formats.ts';
import { growth } from './growth/measure-growth.ts';
import { historyQuotes } from './history-database.ts';
import { loading } from './load-command.ts';
import { load } from './load-generator.ts';
import { residentMemory, startTime } from './memory-and-startup.ts';
import { FOLDER, millionQuotes, symbols } from './million-quotes.ts';
import { known } from './not-modified.ts';
import { hotOnBoth } from './postgres/cached-responses.ts';
import { loadingOnPostgres } from './postgres/load-command.ts';
import { millionOnPostgres } from './postgres/million-quotes.ts';
import { coldOnPostgres } from './postgres/uncached-reads.ts';
import { type Row, table } from './result-table.ts';
import { whileLoading } from './serving-while-loading.ts';
import { wrongTokens } from './token-lookup.ts';
import { cold } from './uncached-reads.ts';

const SERIES = '/3.0/alternate/atm-transactions-annual-volume';
const START = '<!-- measured -->';
const END = '<!-- /measured -->';

/** What can be measured by itself: `npm run bench -- loading`. */
const parts: Readonly<Record<string, () => Promise<Row[]>>> = {
  hot: async () => {
    const { url } = await millionQuotes();
    return [
      ...(await hot(`sqlite:${join(FOLDER, 'sample.db')}`, { 'a series': SERIES })),
      ...(await hot(url, { 'the latest snapshot of 100 quotes': '/2.0/bnb/quote' })),
    ];
  },
  known: async () => {
    const { url } = await millionQuotes();
    return known(url, 'the latest snapshot of 100 quotes', '/2.0/bnb/quote');
  },
  cold: async () => cold(await millionQuotes()),
  tokens: async () => [await wrongTokens()],
  footprint: async () => {
    const { url } = await millionQuotes();
    return [await residentMemory(url), await startTime(url)];
  },
  exports: async () => exports((await millionQuotes()).url),
  formats,
  explorer,
  loading,
  'while-loading': async () => whileLoading((await millionQuotes()).path),
  past: async () => {
    const store = await historyQuotes();
    return [await pastRequests(store.url), ...(await past(store))];
  },
  'postgres-cold': async () => coldOnPostgres(await millionOnPostgres()),
  'postgres-hot': async () => {
    const [postgres, sqlite] = [await millionOnPostgres(), await millionQuotes()];
    return hotOnBoth(postgres.url, sqlite.url, {
      'the latest snapshot of 100 quotes': '/2.0/bnb/quote',
      'the newest quote of one security': `/2.0/bnb/quote?symbol=${symbols[0]}`,
    });
  },
  'postgres-loading': loadingOnPostgres,
};

/** What takes so long that it is measured only where it is named, or for the table that is kept. */
const longParts: typeof parts = {
  growth,
};

const words = process.argv.slice(2);
const write = words.includes('--write');
const named = words.filter((word) => word !== '--write');
const all = { ...parts, ...longParts };
const strange = named.find((name) => !Object.hasOwn(all, name));
if (strange !== undefined || (write && named.length > 0)) {
  const names = Object.keys(parts).join(' | ');
  console.error(`bench [${names} | growth]… or bench --write, for all of them
growth makes databases of 10,000,000 quotes, up to 10 GB, and takes a quarter of an hour: only
where it is named, or with --write`);
  process.exit(2);
}

const wanted = named.length > 0 ? named : Object.keys(write ? all : parts);
const absent = explainMissingBinaries();
const rows: Row[] = [];
for (const [name, measure] of Object.entries(all)) {
  if (!wanted.includes(name)) continue;
  if (absent && /^(postgres|growth)/.test(name)) console.error(`${name} is left out: ${absent}`);
  else rows.push(...(await measure()));
}
const measured = table(rows, load.name);
console.log(measured);

if (write) {
  const file = join(import.meta.dirname, '..', 'docs', 'performance.md');
  const page = await Bun.file(file).text();
  const [before] = page.split(START);
  const [, after] = page.split(END);
  await Bun.write(file, `${before}${START}\n${measured}${END}${after}`);
}
