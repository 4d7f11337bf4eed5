import { buildMixedTargets } from './cold/requests.ts';
import { fileMarket } from './generate-quotes-file.ts';
import { DAILY_REVISIONS, getRevisionInstant } from './history-database.ts';
import { loadGenerator } from './load-generator.ts';
import type { ResultRow } from './result-table.ts';
import { AUTHORIZATION_HEADERS, startTenor } from './server-processes.ts';
import { median } from './statistics.ts';

const ROUNDS = 8;
const SECONDS = 1;
const AS_OF_REVISION = 2;

/** Uncached requests with Accept-Datetime, compared with current ones. */
export async function benchmarkAsOfRequests(databaseUrl: string): Promise<ResultRow> {
  const server = await startTenor(databaseUrl);
  const market = { ...fileMarket, days: fileMarket.days.slice(0, -DAILY_REVISIONS) };
  const asOfHeaders = { 'Accept-Datetime': getRevisionInstant(AS_OF_REVISION).toUTCString() };
  let iteration = 0;
  const rate = (headers: Record<string, string>) => {
    const targets = buildMixedTargets(market, iteration++);
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
    aim: '≥ 0.60',
  };
}
