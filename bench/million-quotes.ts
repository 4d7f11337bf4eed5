import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { formatDay, isWeekend, parseDay } from '../src/calendar.ts';
import { quotes } from '../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../src/catalogue/index.ts';
import type { DatasetRecord } from '../src/catalogue/model/dataset.ts';
import { publishRecords } from '../src/publish/publish-records.ts';
import type { Publisher, Store } from '../src/store/open-store.ts';
import { openStore } from '../src/store/open-store.ts';

const SECURITIES = 500;
const DAYS = 2_000;

export const symbols = Array.from({ length: SECURITIES }, (_, index) => `ZZ${10_000 + index}TB`);
export const days = lastWeekdays('2026-06-30', DAYS);

/** Where a bench keeps what takes long to make. */
export const FOLDER = join(import.meta.dirname, '..', '.bench');

/** A store in a file of the bench's. */
export interface KeptStore extends Store {
  readonly url: string;
  readonly path: string;
}

/** A database of 1,000,000 quotes, made once and kept. */
export async function millionQuotes(): Promise<KeptStore> {
  mkdirSync(FOLDER, { recursive: true });
  const path = join(FOLDER, 'million.db');
  const url = `sqlite:${path}`;
  const whole = existsSync(path) && (await revisionOf(url)) > 0;
  if (!whole) {
    console.error('making a database of 1,000,000 quotes, once');
    for (const part of [path, `${path}-wal`, `${path}-shm`]) rmSync(part, { force: true });
    const publisher = (await openStore(url, catalogue)).publisher();
    await publishMillion(publisher);
    publisher.close();
  }
  return { ...(await openStore(url, catalogue)), url, path };
}

/** Publishes the 1,000,000 quotes: the same in every store, to the instant. */
export async function publishMillion(publisher: Publisher): Promise<void> {
  const about = { dataset: quotes, source: 'bench', author: 'bench', sample: true };
  await publishRecords(publisher, { ...about, at: new Date('2026-07-01'), records: records() });
}

async function revisionOf(url: string): Promise<number> {
  const reader = (await openStore(url, catalogue)).reader();
  const revision = await reader.revision();
  reader.close();
  return revision;
}

function* records(): Generator<DatasetRecord<typeof quotes>> {
  for (const [day, date] of days.entries()) {
    for (const [security, symbol] of symbols.entries()) yield record(date, day, symbol, security);
  }
}

/** Figures without meaning, of the length that real ones have. */
export function record(date: string, day: number, symbol: string, security: number) {
  const wave = ((day * 7_919 + security * 104_729) % 100_000) / 1e4;
  const rounded = (value: number, decimals: number) => Number(value.toFixed(decimals));
  return {
    date,
    symbol,
    isin: `ZZ${String(security).padStart(10, '0')}`,
    type: (['tbill', 'bond', 'corporate'] as const)[security % 3] ?? 'bond',
    maturityDate: '2031-01-22',
    maturityYears: rounded(4.1 + wave / 7, 6),
    bidPrice: rounded(92.1234 + wave, 4),
    askPrice: rounded(92.2345 + wave, 4),
    lastPrice: rounded(92.1789 + wave, 4),
    bidVolume: 5_000_000 + security * 5_000,
    askVolume: 7_500_000 + security * 5_000,
    volume: 150_000_000 + day * 5_000,
    ytm: rounded(11.1 + wave / 3, 6),
    duration: rounded(3.2 + wave / 9, 6),
  };
}

/** The last weekdays up to a day, that day included, in their order. */
export function lastWeekdays(last: string, count: number): string[] {
  const found: string[] = [];
  for (let day = parseDay(last); found.length < count; day--)
    if (!isWeekend(day)) found.push(formatDay(day));
  return found.toReversed();
}
