import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import {
  billModifiedDuration,
  billYield,
  getSettlementDay,
  getYearsToMaturity,
  isinCheckDigit,
} from '../src/bonds/index.ts';
import { formatDay, parseDay } from '../src/calendar.ts';
import { quotes } from '../src/catalogue/datasets/quotes.ts';
import type { DatasetRecord } from '../src/catalogue/model/dataset.ts';
import { days, FOLDER } from './million-quotes.ts';

export type Quote = DatasetRecord<typeof quotes>;

const SECURITIES = 500;
const FIELDS = Object.keys(quotes.fields) as (keyof Quote)[];

/** A CSV of quotes in the order of their days, made once and kept. */
export async function quotesFile(count: number): Promise<string> {
  mkdirSync(FOLDER, { recursive: true });
  const path = join(FOLDER, `quotes-${count}.csv`);
  if (existsSync(path)) return path;
  console.error(`making a file of ${count.toLocaleString('en-US')} quotes, once`);
  const perDay = Math.ceil(count / days.length);
  const writer = Bun.file(`${path}.new`).writer();
  writer.write(`${FIELDS.join()}\n`);
  for (const date of days.slice(0, Math.ceil(count / perDay))) {
    writer.write(linesOf(quotesOf(date, perDay)));
    await writer.flush();
  }
  await writer.end();
  renameSync(`${path}.new`, path);
  return path;
}

/** The quotes of one day as a file of their own. */
export async function dayFile(path: string, date: string): Promise<void> {
  await Bun.write(path, `${FIELDS.join()}\n${linesOf(quotesOf(date, SECURITIES))}`);
}

function linesOf(records: readonly Quote[]): string {
  return records.map((record) => `${FIELDS.map((field) => record[field]).join()}\n`).join('');
}

/** One day's quotes, whose figures fit each other: nothing in them is warned of. */
export function quotesOf(date: string, securities = SECURITIES): Quote[] {
  const day = parseDay(date);
  return Array.from({ length: securities }, (_, security) => quoteOf(date, day, security));
}

/** The symbol of a security by its number. */
export function symbolOf(security: number): string {
  return `ZZ${String(security).padStart(5, '0')}TB`;
}

/** A security that is quoted at a discount and pays 100 from a half to ten years after the last day. */
function quoteOf(date: string, day: number, security: number): Quote {
  const maturity = parseDay('2027-01-04') + ((security * 7) % 3_500);
  const settlement = getSettlementDay(day);
  const term = getYearsToMaturity(settlement, maturity);
  // Rates rise and fall by a point over a year, and every security has its own.
  const rate = 11 + Math.sin(day / 58) + (security % 40) / 20;
  const lastPrice = rounded(100 / (1 + (term * rate) / 100), 4);
  const ytm = rounded(billYield({ maturity }, settlement, lastPrice), 6);
  const body = `ZZ${String(security).padStart(9, '0')}`;
  return {
    date,
    symbol: symbolOf(security),
    isin: `${body}${isinCheckDigit(body)}`,
    type: (['tbill', 'bond', 'corporate'] as const)[security % 3] ?? 'bond',
    maturityDate: formatDay(maturity),
    maturityYears: rounded(term, 6),
    bidPrice: rounded(lastPrice - 0.0312, 4),
    askPrice: rounded(lastPrice + 0.0287, 4),
    lastPrice,
    bidVolume: 5_000_000 + security * 5_000,
    askVolume: 7_500_000 + security * 5_000,
    volume: 150_000_000 + (day % 1_000) * 5_000,
    ytm,
    duration: rounded(billModifiedDuration({ maturity }, settlement, ytm), 6),
  };
}

function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
