import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Quote, quotes } from '../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../src/catalogue/index.ts';
import { publishRecords } from '../src/publish/publish-records.ts';
import { formatDay, isWeekend, parseDay } from '../src/shared/calendar.ts';
import { openStore, type Publisher, type Store } from '../src/store/open-store.ts';
import type { Market } from './cold/requests.ts';

const SECURITIES = 500;
const DAYS = 2_000;

export const symbols = Array.from({ length: SECURITIES }, (_, index) => `ZZ${10_000 + index}TB`);
export const days = listWeekdays('2026-06-30', DAYS);
/** The symbols and days that requests can ask for. */
export const market: Market = {
  symbols,
  isins: symbols.map((_, index) => formatIsin(index)),
  days,
};

/** The folder for databases and files that take long to create. */
export const FOLDER = join(import.meta.dirname, '..', '.bench');

/** A store in a SQLite file. */
export interface FileStore extends Store {
  readonly url: string;
  readonly path: string;
}

/** Opens a database of 1,000,000 quotes, which is created once. */
export async function openMillionQuotes(): Promise<FileStore> {
  mkdirSync(FOLDER, { recursive: true });
  const path = join(FOLDER, 'million.db');
  const url = `sqlite:${path}`;
  const isComplete = existsSync(path) && (await getRevision(url)) > 0;
  if (!isComplete) {
    console.error('creating a database of 1,000,000 quotes');
    for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true });
    const publisher = (await openStore(url, catalogue)).publisher();
    await publishMillion(publisher);
    publisher.close();
  }
  return { ...(await openStore(url, catalogue)), url, path };
}

/** Publishes the 1,000,000 quotes, with the same instant in every store. */
export async function publishMillion(publisher: Publisher): Promise<void> {
  const attributes = { dataset: quotes, source: 'bench', author: 'bench', sample: true };
  await publishRecords(publisher, {
    ...attributes,
    at: new Date('2026-07-01'),
    records: generateRecords(),
  });
}

async function getRevision(url: string): Promise<number> {
  const reader = (await openStore(url, catalogue)).reader();
  const revision = await reader.revision();
  reader.close();
  return revision;
}

function* generateRecords(): Generator<Quote> {
  for (const [day, date] of days.entries()) {
    for (const [security, symbol] of symbols.entries())
      yield generateRecord(date, day, symbol, security);
  }
}

/** Arbitrary figures of realistic length. */
export function generateRecord(date: string, day: number, symbol: string, security: number) {
  const wave = ((day * 7_919 + security * 104_729) % 100_000) / 1e4;
  const roundTo = (value: number, decimals: number) => Number(value.toFixed(decimals));
  return {
    date,
    symbol,
    isin: formatIsin(security),
    type: (['tbill', 'bond', 'corporate'] as const)[security % 3] ?? 'bond',
    maturityDate: '2031-01-22',
    maturityYears: roundTo(4.1 + wave / 7, 6),
    bidPrice: roundTo(92.1234 + wave, 4),
    askPrice: roundTo(92.2345 + wave, 4),
    lastPrice: roundTo(92.1789 + wave, 4),
    bidVolume: 5_000_000 + security * 5_000,
    askVolume: 7_500_000 + security * 5_000,
    volume: 150_000_000 + day * 5_000,
    ytm: roundTo(11.1 + wave / 3, 6),
    duration: roundTo(3.2 + wave / 9, 6),
  };
}

function formatIsin(security: number): string {
  return `ZZ${String(security).padStart(10, '0')}`;
}

/** The last weekdays up to and including a day, oldest first. */
export function listWeekdays(last: string, count: number): string[] {
  const weekdays: string[] = [];
  for (let day = parseDay(last); weekdays.length < count; day--)
    if (!isWeekend(day)) weekdays.push(formatDay(day));
  return weekdays.toReversed();
}
