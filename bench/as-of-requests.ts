import { formatSymbol } from './generate-quotes-file.ts';
import { DAILY_REVISIONS, getRevisionInstant } from './history-database.ts';
import { loadGenerator } from './load-generator.ts';
import { days } from './million-quotes.ts';
import { median, type ResultRow } from './result-table.ts';
import { AUTHORIZATION_HEADERS, startTenor } from './server-processes.ts';
import { buildUncachedTargets } from './uncached-targets.ts';

const ROUNDS = 8;
const SECONDS = 1;
const SECURITIES = 500;
const AS_OF_REVISION = 2;

/** Uncached requests with Accept-Datetime, compared with current ones. */
export async function benchmarkAsOfRequests(databaseUrl: string): Promise<ResultRow> {
  const server = await startTenor(databaseUrl);
  const symbols = Array.from({ length: SECURITIES }, (_, security) => formatSymbol(security));
  const asOfDays = days.slice(0, -DAILY_REVISIONS);
  const asOfHeaders = { 'Accept-Datetime': getRevisionInstant(AS_OF_REVISION).toUTCString() };
  let iteration = 0;
  const rate = (headers: Record<string, string>) => {
    const targets = buildUncachedTargets(iteration++, symbols, asOfDays);
    const requestLoad = {
      address: server.address,
      targets,
      headers: { ...AUTHORIZATION_HEADERS, ...headers },
    };
    return loadGenerator.run(requestLoad, SECONDS);
  };
  const rates: { asOf: number; current: number }[] = [];
  try {
    await rate(asOfHeaders);
    await rate({});
    for (let round = 0; round < ROUNDS; round++) {
      if (round % 2 === 0) {
        const first = await rate(asOfHeaders);
        rates.push({ asOf: first, current: await rate({}) });
      } else {
        const first = await rate({});
        rates.push({ current: first, asOf: await rate(asOfHeaders) });
      }
    }
  } finally {
    await server.stop();
  }
  return {
    label: `histories and snapshots with Accept-Datetime, ${DAILY_REVISIONS} revisions ago, uncached`,
    measured: `${Math.round(median(rates.map(({ asOf }) => asOf)))} req/s`,
    baseline: `${Math.round(median(rates.map(({ current }) => current)))} req/s, current`,
    ratio: median(rates.map(({ asOf, current }) => asOf / current)),
    aim: '≥ 0.50',
  };
}
