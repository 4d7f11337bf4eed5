import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { removeDatabase } from '../load-command.ts';
import { FOLDER } from '../million-quotes.ts';
import { getBenchServer } from '../postgres/bench-server.ts';
import type { ResultRow } from '../result-table.ts';
import { type ServerProcess, startTenor } from '../server-processes.ts';
import { compareLatency } from './compare-latency.ts';
import { fillPostgres, fillSqlite } from './fill-market.ts';

/** Securities of the two markets: 1,000,000 quotes and 10,000,000. */
const SMALL_SECURITIES = 400;
const LARGE_SECURITIES = 4_000;

/** How the 99th percentile of uncached responses grows with ten times the quotes. */
export async function benchmarkGrowth(): Promise<ResultRow[]> {
  mkdirSync(FOLDER, { recursive: true });
  return [...(await measureOnSqlite()), ...(await measureOnPostgres())];
}

async function measureOnSqlite(): Promise<ResultRow[]> {
  const paths = [SMALL_SECURITIES, LARGE_SECURITIES].map((securities) =>
    join(FOLDER, `growth-${securities}.db`),
  );
  const [small = '', large = ''] = paths;
  try {
    paths.forEach(removeDatabase);
    await withTiming('SQLite', () => fillSqlite(small, SMALL_SECURITIES));
    await withTiming('SQLite', () => fillSqlite(large, LARGE_SECURITIES));
    return await compareMarkets('SQLite', `sqlite:${small}`, `sqlite:${large}`);
  } finally {
    paths.forEach(removeDatabase);
  }
}

async function measureOnPostgres(): Promise<ResultRow[]> {
  const server = await getBenchServer();
  const small = await server.createDatabase();
  const large = await server.createDatabase();
  try {
    await withTiming('PostgreSQL', () => fillPostgres(small, SMALL_SECURITIES));
    await withTiming('PostgreSQL', () => fillPostgres(large, LARGE_SECURITIES));
    return await compareMarkets('PostgreSQL', small, large);
  } finally {
    await server.dropDatabase(small);
    await server.dropDatabase(large);
  }
}

async function compareMarkets(engine: string, small: string, large: string): Promise<ResultRow[]> {
  const servers: ServerProcess[] = [];
  try {
    const serve = async (url: string, securities: number) => {
      const server = await startTenor(url);
      servers.push(server);
      return { address: server.address, securities };
    };
    return await compareLatency(
      engine,
      await serve(small, SMALL_SECURITIES),
      await serve(large, LARGE_SECURITIES),
    );
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
