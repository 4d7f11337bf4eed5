import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { quotes } from '../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../src/catalogue/index.ts';
import { publishRecords } from '../src/publish/publish-records.ts';
import { openStore, type Publisher, type Store } from '../src/store/open-store.ts';
import { type Quote, quotesOf } from './generate-quotes-file.ts';
import { remove } from './load-command.ts';
import { days, FOLDER } from './million-quotes.ts';

/** The days of the first revision, then those that came as one more; then a day for each revision. */
export const FIRST_DAYS = 10;
export const DAILY = 200;

/** When a revision of the made-up history was published. */
export const instantOf = (revision: number) =>
  new Date(Date.UTC(2026, 0, 1, 12) + revision * 60_000);

/**
 * A database of 1,000,000 quotes with a past, made once and kept: ten days; then all but the last
 * 200; then 200 revisions of a day, each of which also corrects half of the day before.
 */
export async function historyQuotes(): Promise<Store & { url: string }> {
  const path = join(FOLDER, 'history.db');
  const url = `sqlite:${path}`;
  if (!existsSync(path) || (await newest(url)) < DAILY + 2) {
    console.error('making a database of 1,000,000 quotes with a history, once');
    remove(path);
    const publisher = (await openStore(url, catalogue)).publisher();
    await makeHistory(publisher);
    publisher.close();
  }
  return { ...(await openStore(url, catalogue)), url };
}

async function newest(url: string): Promise<number> {
  const reader = (await openStore(url, catalogue)).reader();
  const revision = await reader.revision();
  reader.close();
  return revision;
}

async function makeHistory(publisher: Publisher): Promise<void> {
  let revision = 1;
  const put = (records: Iterable<Quote>) => {
    const about = { dataset: quotes, source: 'bench', author: 'bench', sample: true };
    return publishRecords(publisher, { ...about, at: instantOf(revision++), records });
  };
  const all = (some: readonly string[]) => some.values().flatMap((date) => quotesOf(date));
  await put(all(days.slice(0, FIRST_DAYS)));
  await put(all(days.slice(FIRST_DAYS, -DAILY)));
  let yesterday = days.at(-DAILY - 1) ?? '';
  for (const date of days.slice(-DAILY)) {
    const corrected = quotesOf(yesterday).filter((_, security) => security % 2 === 0);
    await put([...quotesOf(date), ...corrected.map((quote) => ({ ...quote, volume: 1 }))]);
    yesterday = date;
  }
}
