import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { quotesFile } from './generate-quotes-file.ts';
import { remove } from './load-command.ts';
import { type Asked, load } from './load-generator.ts';
import { days, FOLDER, symbols } from './million-quotes.ts';
import { median, type Row } from './result-table.ts';
import { AUTHORIZED, finished, loadQuotes, ours } from './server-processes.ts';
import { coldTargets } from './uncached-targets.ts';

const SECONDS = 1;
const ROUNDS_BEFORE = 5;

/** A server's speed while a million quotes are loaded into its database, against without. */
export async function whileLoading(million: string): Promise<Row[]> {
  const file = await quotesFile(1_000_000);
  const database = join(FOLDER, 'serving.db');
  remove(database);
  copyFileSync(million, database);
  const databaseUrl = `sqlite:${database}`;
  const server = await ours(databaseUrl);
  const rates = { before: [] as Rates[], during: [] as Rates[] };
  let iteration = 0;
  const measure = async (): Promise<Rates> => {
    const { address } = server;
    return {
      hot: await rate({ address, targets: ['/2.0/bnb/quote'] }),
      cold: await rate({ address, targets: coldTargets(iteration++, symbols, days) }),
    };
  };
  try {
    for (let round = 0; round < ROUNDS_BEFORE; round++) rates.before.push(await measure());
    let isLoading = true;
    const loaded = finished(loadQuotes(file), { DATABASE_URL: databaseUrl }).finally(() => {
      isLoading = false;
    });
    // From its start to its end; the round that the end falls into does not count.
    for (;;) {
      const round = await measure();
      if (!isLoading) break;
      rates.during.push(round);
    }
    await loaded;
  } finally {
    await server.stop();
    remove(database);
  }
  return (['hot', 'cold'] as const).map((kind) => {
    const [during, before] = [rates.during, rates.before].map((all) => all.map((r) => r[kind]));
    return {
      what: `${NAMES[kind]}, while 1,000,000 quotes are loaded`,
      measured: `${Math.round(median(during ?? []))} req/s, at the least ${Math.round(Math.min(...(during ?? [])))}`,
      against: `${Math.round(median(before ?? []))} req/s, before`,
      ratio: median(during ?? []) / median(before ?? []),
      aim: '≥ 0.50',
    };
  });
}

type Rates = Record<'hot' | 'cold', number>;

const NAMES = {
  hot: 'the latest snapshot, asked before',
  cold: 'histories and snapshots, never asked before',
};

function rate(asked: Omit<Asked, 'headers'>): Promise<number> {
  return load.run({ ...asked, headers: AUTHORIZED }, SECONDS);
}
