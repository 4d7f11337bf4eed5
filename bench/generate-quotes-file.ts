import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import {
  billModifiedDuration,
  billYield,
  getSettlementDay,
  getYearsToMaturity,
  isinCheckDigit,
} from '../src/bonds/index.ts';
import { type Quote, quotes } from '../src/catalogue/datasets/quotes.ts';
import { formatDay, parseDay } from '../src/shared/calendar.ts';
import type { Market } from './cold/requests.ts';
import { days, FOLDER } from './million-quotes.ts';

const SECURITIES = 500;
const FIELDS = Object.keys(quotes.fields) as (keyof Quote)[];

/** Creates a CSV file of quotes in the order of their days, unless it exists. */
export async function createQuotesFile(count: number): Promise<string> {
  mkdirSync(FOLDER, { recursive: true });
  const path = join(FOLDER, `quotes-${count}.csv`);
  if (existsSync(path)) return path;
  console.error(`creating a file of ${count.toLocaleString('en-US')} quotes`);
  const perDay = Math.ceil(count / days.length);
  const writer = Bun.file(`${path}.new`).writer();
  writer.write(`${FIELDS.join()}\n`);
  for (const date of days.slice(0, Math.ceil(count / perDay))) {
    writer.write(formatCsvLines(generateQuotes(date, perDay)));
    await writer.flush();
  }
  await writer.end();
  renameSync(`${path}.new`, path);
  return path;
}

/** Writes the quotes of some days to a file, changed if so wished. */
export async function writeQuotesFile(
  path: string,
  dates: readonly string[],
  change: (quote: Quote) => Quote = (quote) => quote,
): Promise<void> {
  const records = dates.flatMap((date) => generateQuotes(date).map(change));
  await Bun.write(path, `${FIELDS.join()}\n${formatCsvLines(records)}`);
}

function formatCsvLines(records: readonly Quote[]): string {
  return records.map((record) => `${FIELDS.map((field) => record[field]).join()}\n`).join('');
}

/** The quotes of one day, with consistent figures that give no warnings. */
export function generateQuotes(date: string, securities = SECURITIES): Quote[] {
  const day = parseDay(date);
  return Array.from({ length: securities }, (_, security) => generateQuote(date, day, security));
}

/** The market of such a file, of which requests can ask for the first securities and all days. */
export const fileMarket: Market = {
  symbols: Array.from({ length: SECURITIES }, (_, security) => formatSymbol(security)),
  isins: Array.from({ length: SECURITIES }, (_, security) => formatIsin(security)),
  days,
};

export function formatSymbol(security: number): string {
  return `ZZ${String(security).padStart(5, '0')}TB`;
}

/** A discount security that matures half a year to ten years after the last day. */
function generateQuote(date: string, day: number, security: number): Quote {
  const maturity = parseDay('2027-01-04') + ((security * 7) % 3_500);
  const settlement = getSettlementDay(day);
  const term = getYearsToMaturity(settlement, maturity);
  // Rates vary by a point over a year and differ between securities.
  const rate = 11 + Math.sin(day / 58) + (security % 40) / 20;
  const lastPrice = roundTo(100 / (1 + (term * rate) / 100), 4);
  const ytm = roundTo(billYield({ maturity }, settlement, lastPrice), 6);
  return {
    date,
    symbol: formatSymbol(security),
    isin: formatIsin(security),
    type: (['tbill', 'bond', 'corporate'] as const)[security % 3] ?? 'bond',
    maturityDate: formatDay(maturity),
    maturityYears: roundTo(term, 6),
    bidPrice: roundTo(lastPrice - 0.0312, 4),
    askPrice: roundTo(lastPrice + 0.0287, 4),
    lastPrice,
    bidVolume: 5_000_000 + security * 5_000,
    askVolume: 7_500_000 + security * 5_000,
    volume: 150_000_000 + (day % 1_000) * 5_000,
    ytm,
    duration: roundTo(billModifiedDuration({ maturity }, settlement, ytm), 6),
  };
}

function formatIsin(security: number): string {
  const body = `ZZ${String(security).padStart(9, '0')}`;
  return `${body}${isinCheckDigit(body)}`;
}

function roundTo(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
