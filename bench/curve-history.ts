import { join } from 'node:path';
import { billYield } from '../src/bonds/index.ts';
import { type Quote, quotes } from '../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../src/catalogue/index.ts';
import { publishRecords } from '../src/publish/publish-records.ts';
import { formatDay, parseDay } from '../src/shared/calendar.ts';
import { openStore } from '../src/store/open-store.ts';
import { compareRequestRates } from './compare-rates.ts';
import { removeDatabase } from './loads.ts';
import { days, FOLDER } from './million-quotes.ts';
import { formatRateRow, type ResultRow } from './result-table.ts';
import { AUTHORIZATION_HEADERS, type ServerProcess, startTenor } from './server-processes.ts';

const CURVES = 1_000;
const SECURITIES = 40;
const HISTORY_DAYS = days.slice(-CURVES);
/** More than are sent in a second; a server keeps none of them, since each is another one. */
const TARGETS_PER_ROUND = 300;

/** The curves of 1,000 days that were fitted before, against quotes of as many bytes. */
export async function benchmarkCurveHistory(): Promise<ResultRow[]> {
  const path = join(FOLDER, 'curve-history.db');
  removeDatabase(path);
  const url = `sqlite:${path}`;
  const publisher = (await openStore(url, catalogue)).publisher();
  const attributes = { dataset: quotes, source: 'bench', author: 'bench', sample: true };
  await publishRecords(publisher, { ...attributes, records: generateMarket() });
  publisher.close();
  const server = await startTenor(url);
  try {
    const curveBytes = await fetchBytes(server, buildHistory(0));
    const quoteBytes = (await fetchBytes(server, buildQuotes(0, CURVES))) / CURVES;
    const records = Math.round(curveBytes / quoteBytes);
    const createLoad = (build: (index: number) => string) => (round: number) => ({
      address: server.address,
      targets: Array.from({ length: TARGETS_PER_ROUND }, (_, index) =>
        build(round * TARGETS_PER_ROUND + index),
      ),
      headers: AUTHORIZATION_HEADERS,
      // One after the other: a few dozen that wait for each other would be measured in waves.
      connections: 1,
    });
    const rates = await compareRequestRates(
      createLoad(buildHistory),
      createLoad((index) => buildQuotes(index, records)),
    );
    const label = `the curves of ${CURVES} days, fitted before, ${(curveBytes / 1e6).toFixed(1)} MB of JSON`;
    return [formatRateRow(label, rates, `${records} quotes of as many bytes`, '≥ 0.33')];
  } finally {
    await server.stop();
  }
}

/** Each of other tenors: all but the last are the usual ones. */
const buildHistory = (index: number) =>
  `/2.0/bnb/curve?from=${HISTORY_DAYS[0]}&limit=${CURVES}&tenors=1M,3M,6M,1Y,2Y,3Y,5Y,7Y,10Y,15Y,20Y,${31 + index}D`;

const buildQuotes = (index: number, limit: number) =>
  `/2.0/bnb/quote?from=${days[index % 500]}&to=${HISTORY_DAYS.at(-1 - (index % 300))}&limit=${limit}`;

/** The size of a response, of all pages if the first one ends before all curves are fitted. */
async function fetchBytes({ address }: ServerProcess, target: string): Promise<number> {
  for (;;) {
    const response = await fetch(`${address}${target}`, { headers: AUTHORIZATION_HEADERS });
    const body = await response.bytes();
    if (!response.ok) throw new Error(`${target} is ${response.status}`);
    const isWhole = target.includes('/quote') || !response.headers.get('link')?.includes('"next"');
    if (isWhole) return body.length;
  }
}

/** Bills of up to twenty years on each day. */
function* generateMarket(): Generator<Quote> {
  for (const [index, date] of HISTORY_DAYS.entries()) {
    const day = parseDay(date);
    for (let security = 0; security < SECURITIES; security += 1) {
      const left = 20 + 180 * security;
      const maturity = day + 1 + left;
      const zero = 11 + Math.sqrt(left / 3_000) + 0.03 * Math.sin(security * (index + 2.7));
      const lastPrice = Number((100 * (1 + zero / 200) ** ((-2 * left) / 365)).toFixed(4));
      yield {
        ...quotes.example,
        ...{ date, symbol: `BILL${security}`, isin: `ZZBILL${security}`, type: 'tbill' },
        ...{ maturityDate: formatDay(maturity), maturityYears: Number((left / 365).toFixed(6)) },
        ...{ bidPrice: lastPrice, askPrice: lastPrice, lastPrice },
        ytm: Number(billYield({ maturity }, day + 1, lastPrice).toFixed(6)),
      };
    }
  }
}
