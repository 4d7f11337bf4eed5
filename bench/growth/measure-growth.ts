import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { removeDatabase } from '../loads.ts';
import { FOLDER } from '../million-quotes.ts';
import { getBenchServer } from '../postgres/bench-server.ts';
import type { ResultRow } from '../result-table.ts';
import { type ServerProcess, startTenor } from '../server-processes.ts';
import { compareLatency } from './compare-latency.ts';
import { fillPostgres, fillSqlite, type MarketSize } from './fill-market.ts';

const ONE_MILLION: MarketSize = { securities: 400 };
const TEN_MILLION: MarketSize = { securities: 4_000 };

/** Measures how the 99th percentile of uncached responses grows with ten times the quotes. */
export function benchmarkGrowth(): Promise<ResultRow[]> {
  return measureOnSqlite(ONE_MILLION, TEN_MILLION);
}

export function benchmarkPostgresGrowth(): Promise<ResultRow[]> {
  return measureOnPostgres(ONE_MILLION, TEN_MILLION);
}

async function measureOnSqlite(small: MarketSize, large: MarketSize): Promise<ResultRow[]> {
  mkdirSync(FOLDER, { recursive: true });
  const markets = [small, large].map((market) => {
    const path = join(FOLDER, `growth-${market.securities}.db`);
    return { ...market, path, url: `sqlite:${path}` };
  });
  try {
    for (const { path, ...market } of markets) {
      removeDatabase(path);
      await withTiming('SQLite', () => fillSqlite(path, market));
    }
    return await compareMarkets('SQLite', markets);
  } finally {
    for (const { path } of markets) removeDatabase(path);
  }
}

async function measureOnPostgres(small: MarketSize, large: MarketSize): Promise<ResultRow[]> {
  const server = await getBenchServer();
  const markets: FilledMarket[] = [];
  try {
    for (const market of [small, large]) {
      const url = await server.createDatabase();
      markets.push({ ...market, url });
      await withTiming('PostgreSQL', () => fillPostgres(url, market));
    }
    return await compareMarkets('PostgreSQL', markets);
  } finally {
    for (const { url } of markets) await server.dropDatabase(url);
  }
}

interface FilledMarket extends MarketSize {
  readonly url: string;
}

async function compareMarkets(
  engine: string,
  markets: readonly FilledMarket[],
): Promise<ResultRow[]> {
  const servers: ServerProcess[] = [];
  try {
    for (const { url } of markets) servers.push(await startTenor(url));
    const [small, large] = markets.map((market, index) => ({
      ...market,
      address: servers[index]?.address ?? '',
    }));
    if (!small || !large) throw new Error('two markets are compared');
    return await compareLatency(engine, small, large);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

async function withTiming(engine: string, fill: () => Promise<void>): Promise<void> {
  const started = performance.now();
  await fill();
  const seconds = Math.round((performance.now() - started) / 1_000);
  console.error(`a market on ${engine} was created in ${seconds} s`);
}
