import { join } from 'node:path';
import { cold } from './cold.ts';
import { residentMemory, startTime } from './footprint.ts';
import { hot } from './hot.ts';
import { load } from './load.ts';
import { FOLDER, millionQuotes } from './market.ts';
import { table } from './table.ts';
import { wrongTokens } from './tokens.ts';

const SERIES = '/3.0/alternate/atm-transactions-annual-volume';
const START = '<!-- measured -->';
const END = '<!-- /measured -->';

const store = await millionQuotes();
const sample = `sqlite:${join(FOLDER, 'sample.db')}`;
const rows = [
  ...(await hot(sample, { 'a series': SERIES })),
  ...(await hot(store.url, { 'the latest snapshot of 100 quotes': '/2.0/bnb/quote' })),
  ...(await cold(store)),
  await wrongTokens(),
  await residentMemory(store.url),
  await startTime(store.url),
];
const measured = table(rows, load.name);
console.log(measured);

if (process.argv.includes('--write')) {
  const file = join(import.meta.dirname, '..', 'docs', 'performance.md');
  const page = await Bun.file(file).text();
  const [before] = page.split(START);
  const [, after] = page.split(END);
  await Bun.write(file, `${before}${START}\n${measured}${END}${after}`);
}
