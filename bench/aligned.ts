import { quotes } from '../src/catalogue/datasets/quotes.ts';
import { isNumberField } from '../src/catalogue/model/field.ts';
import { compareRequestRates } from './compare-rates.ts';
import { days, openMillionQuotes, symbols } from './million-quotes.ts';
import { formatRateRow, type ResultRow } from './result-table.ts';
import { AUTHORIZATION_HEADERS, startTenor } from './server-processes.ts';

const HISTORY_DAYS = 250;
const COLUMNS = 10;
/** More than are sent in a second, and more than a server caches. */
const TARGETS_PER_ROUND = 10_000;

const MEASURES = Object.entries(quotes.fields)
  .filter(([, field]) => isNumberField(field))
  .map(([name]) => name);

/** Tables of ten columns and 250 days, against the history of one security over these days. */
export async function benchmarkAligned(): Promise<ResultRow[]> {
  const { url } = await openMillionQuotes();
  const server = await startTenor(url);
  const createLoad = (build: (index: number) => string) => (round: number) => ({
    address: server.address,
    targets: Array.from({ length: TARGETS_PER_ROUND }, (_, index) =>
      build(round * TARGETS_PER_ROUND + index),
    ),
    headers: AUTHORIZATION_HEADERS,
  });
  const compare = async (label: string, build: (index: number) => string, aim: string) =>
    formatRateRow(
      `aligned table of ${COLUMNS} columns and ${HISTORY_DAYS} days, ${label}, uncached, over HTTP`,
      await compareRequestRates(createLoad(build), createLoad(buildHistory)),
      `${HISTORY_DAYS}-record history of one security`,
      aim,
    );
  try {
    return [
      await compare('nine of one security and one of another', buildTableOfTwo, '≥ 0.20'),
      // As fast as a history of each.
      await compare('each of another security', buildTableOfMany, '≥ 0.10'),
    ];
  } finally {
    await server.stop();
  }
}

const buildHistory = (index: number) =>
  `/2.0/bnb/quote?symbol=${pickSymbol(index)}&${formatRange(index)}`;

/** Every figure of a quote, and the yield of another security. */
const buildTableOfTwo = (index: number) =>
  buildTable(index, [
    ...MEASURES.map((measure) => `quotes.${measure}(symbol=${pickSymbol(index)})`),
    `quotes.ytm(symbol=${pickSymbol(index + 1)})`,
  ]);

const buildTableOfMany = (index: number) =>
  buildTable(
    index,
    Array.from({ length: COLUMNS }, (_, each) => `quotes.ytm(symbol=${pickSymbol(index + each)})`),
  );

const buildTable = (index: number, columns: readonly string[]) =>
  `/aligned?columns=${columns}&${formatRange(index)}`;

const pickSymbol = (index: number) => symbols[(index * 7_919) % symbols.length];

/** Steps without a common factor reach every security and day before they repeat. */
function formatRange(index: number): string {
  const start = (index * 1_009 + Math.floor(index / symbols.length)) % (days.length - HISTORY_DAYS);
  return `from=${days[start]}&to=${days[start + HISTORY_DAYS - 1]}&limit=${HISTORY_DAYS}`;
}
