import { symbolOf } from './generate-quotes-file.ts';
import { DAILY, instantOf } from './history-database.ts';
import { load } from './load-generator.ts';
import { days } from './million-quotes.ts';
import { median, type Row } from './result-table.ts';
import { AUTHORIZED, ours } from './server-processes.ts';
import { coldTargets } from './uncached-targets.ts';

const ROUNDS = 8;
const SECONDS = 1;
const SECURITIES = 500;
const ASKED = 2;

/** Requests for the past, never made before, against the same for the present. */
export async function pastRequests(databaseUrl: string): Promise<Row> {
  const server = await ours(databaseUrl);
  const symbols = Array.from({ length: SECURITIES }, (_, security) => symbolOf(security));
  const stood = days.slice(0, -DAILY);
  const past = { 'Accept-Datetime': instantOf(ASKED).toUTCString() };
  let iteration = 0;
  const rate = (headers: Record<string, string>) => {
    const targets = coldTargets(iteration++, symbols, stood);
    const asked = { address: server.address, targets, headers: { ...AUTHORIZED, ...headers } };
    return load.run(asked, SECONDS);
  };
  const rates: { past: number; present: number }[] = [];
  try {
    await rate(past);
    await rate({});
    for (let round = 0; round < ROUNDS; round++) {
      if (round % 2 === 0) {
        const first = await rate(past);
        rates.push({ past: first, present: await rate({}) });
      } else {
        const first = await rate({});
        rates.push({ present: first, past: await rate(past) });
      }
    }
  } finally {
    await server.stop();
  }
  return {
    what: `histories and snapshots with Accept-Datetime, ${DAILY} revisions ago, never asked before`,
    measured: `${Math.round(median(rates.map(({ past }) => past)))} req/s`,
    against: `${Math.round(median(rates.map(({ present }) => present)))} req/s, of the present`,
    ratio: median(rates.map(({ past, present }) => past / present)),
    aim: '≥ 0.50',
  };
}
