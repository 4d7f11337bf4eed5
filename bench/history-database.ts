import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Quote, quotes } from '../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../src/catalogue/index.ts';
import { publishRecords } from '../src/publish/publish-records.ts';
import { openStore, type Publisher, type Store } from '../src/store/open-store.ts';
import { generateQuotes } from './generate-quotes-file.ts';
import { removeDatabase } from './loads.ts';
import { days, FOLDER } from './million-quotes.ts';

/** The days of the first revision, and the number of daily revisions at the end. */
export const FIRST_DAYS = 10;
export const DAILY_REVISIONS = 200;

/** The instant at which a revision was published. */
export const getRevisionInstant = (revision: number) =>
  new Date(Date.UTC(2026, 0, 1, 12) + revision * 60_000);

/**
 * A database of 1,000,000 quotes with history, created once: ten days, then all days but the last
 * 200, then 200 daily revisions that each correct half of the previous day.
 */
export async function openHistoryDatabase(): Promise<Store & { url: string }> {
  const path = join(FOLDER, 'history.db');
  const url = `sqlite:${path}`;
  if (!existsSync(path) || (await getNewestRevision(url)) < DAILY_REVISIONS + 2) {
    console.error('creating a database of 1,000,000 quotes with history');
    removeDatabase(path);
    const publisher = (await openStore(url, catalogue)).publisher();
    await publishHistory(publisher);
    publisher.close();
  }
  return { ...(await openStore(url, catalogue)), url };
}

async function getNewestRevision(url: string): Promise<number> {
  const reader = (await openStore(url, catalogue)).reader();
  const revision = await reader.revision();
  reader.close();
  return revision;
}

export async function publishHistory(publisher: Publisher): Promise<void> {
  let revision = 1;
  const publish = (records: Iterable<Quote>) => {
    const attributes = { dataset: quotes, source: 'bench', author: 'bench', sample: true };
    return publishRecords(publisher, {
      ...attributes,
      at: getRevisionInstant(revision++),
      records,
    });
  };
  const generateAll = (dates: readonly string[]) =>
    dates.values().flatMap((date) => generateQuotes(date));
  await publish(generateAll(days.slice(0, FIRST_DAYS)));
  await publish(generateAll(days.slice(FIRST_DAYS, -DAILY_REVISIONS)));
  let yesterday = days.at(-DAILY_REVISIONS - 1) ?? '';
  for (const date of days.slice(-DAILY_REVISIONS)) {
    const corrected = generateQuotes(yesterday).filter((_, security) => security % 2 === 0);
    await publish([
      ...generateQuotes(date),
      ...corrected.map((quote) => ({ ...quote, volume: 1 })),
    ]);
    yesterday = date;
  }
}
