import { copyFileSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { buildMixedTargets } from './cold/requests.ts';
import { createQuotesFile } from './generate-quotes-file.ts';
import { loadGenerator, type RequestLoad } from './load-generator.ts';
import { loadQuotes, removeDatabase } from './loads.ts';
import { FOLDER, market } from './million-quotes.ts';
import type { ResultRow } from './result-table.ts';
import { AUTHORIZATION_HEADERS, startTenor } from './server-processes.ts';
import { median } from './statistics.ts';

const SECONDS = 1;
const ROUNDS_BEFORE = 5;

/** Request rates while a million quotes are loaded, compared with the rates before. */
export async function benchmarkServingWhileLoading(million: string): Promise<ResultRow[]> {
  const file = await createQuotesFile(1_000_000);
  const database = join(FOLDER, 'serving.db');
  removeDatabase(database);
  copyFileSync(million, database);
  cpSync(`${million}.private`, `${database}.private`, { recursive: true });
  const databaseUrl = `sqlite:${database}`;
  const server = await startTenor(databaseUrl);
  const rates = { before: [] as CacheRates[], during: [] as CacheRates[] };
  let iteration = 0;
  const measure = async (): Promise<CacheRates> => {
    const { address } = server;
    return {
      hot: await measureRequestRate({ address, targets: ['/2.0/bnb/quote'] }),
      cold: await measureRequestRate({
        address,
        targets: buildMixedTargets(market, iteration++),
      }),
    };
  };
  try {
    for (let round = 0; round < ROUNDS_BEFORE; round++) rates.before.push(await measure());
    let isLoading = true;
    const loading = loadQuotes(databaseUrl, file).finally(() => {
      isLoading = false;
    });
    // The round in which the load ends does not count.
    for (;;) {
      const round = await measure();
      if (!isLoading) break;
      rates.during.push(round);
    }
    await loading;
  } finally {
    await server.stop();
    removeDatabase(database);
  }
  return (['hot', 'cold'] as const).map((kind) => {
    const [during, before] = [rates.during, rates.before].map((rounds) =>
      rounds.map((round) => round[kind]),
    );
    return {
      label: `${RATE_LABELS[kind]}, while 1,000,000 quotes are loaded`,
      measured: `${Math.round(median(during ?? []))} req/s, minimum ${Math.round(Math.min(...(during ?? [])))}`,
      baseline: `${Math.round(median(before ?? []))} req/s, before`,
      ratio: median(during ?? []) / median(before ?? []),
      aim: '≥ 0.50',
    };
  });
}

type CacheRates = Record<'hot' | 'cold', number>;

const RATE_LABELS = {
  hot: 'the latest snapshot, cached',
  cold: 'histories and snapshots, uncached',
};

function measureRequestRate(requests: Omit<RequestLoad, 'headers'>): Promise<number> {
  return loadGenerator.run({ ...requests, headers: AUTHORIZATION_HEADERS }, SECONDS);
}
