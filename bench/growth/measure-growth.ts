import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { remove } from '../load-command.ts';
import { FOLDER } from '../million-quotes.ts';
import { benchServer } from '../postgres/bench-server.ts';
import type { Row } from '../result-table.ts';
import { ours, type Running } from '../server-processes.ts';
import { compared } from './compare-latency.ts';
import { fillPostgres, fillSqlite } from './fill-market.ts';

/** Securities of the two markets: 1,000,000 quotes and 10,000,000. */
const SMALL = 400;
const LARGE = 4_000;

/** How much longer the slowest of a hundred new answers takes when there are ten times the quotes. */
export async function growth(): Promise<Row[]> {
  mkdirSync(FOLDER, { recursive: true });
  return [...(await onSqlite()), ...(await onPostgres())];
}

async function onSqlite(): Promise<Row[]> {
  const paths = [SMALL, LARGE].map((securities) => join(FOLDER, `growth-${securities}.db`));
  const [small = '', large = ''] = paths;
  try {
    paths.forEach(remove);
    await timed('SQLite', () => fillSqlite(small, SMALL));
    await timed('SQLite', () => fillSqlite(large, LARGE));
    return await measured('SQLite', `sqlite:${small}`, `sqlite:${large}`);
  } finally {
    paths.forEach(remove);
  }
}

async function onPostgres(): Promise<Row[]> {
  const server = await benchServer();
  const small = await server.createDatabase();
  const large = await server.createDatabase();
  try {
    await timed('PostgreSQL', () => fillPostgres(small, SMALL));
    await timed('PostgreSQL', () => fillPostgres(large, LARGE));
    return await measured('PostgreSQL', small, large);
  } finally {
    await server.dropDatabase(small);
    await server.dropDatabase(large);
  }
}

async function measured(engine: string, small: string, large: string): Promise<Row[]> {
  const servers: Running[] = [];
  try {
    const serve = async (url: string, securities: number) => {
      const server = await ours(url);
      servers.push(server);
      return { address: server.address, securities };
    };
    return await compared(engine, await serve(small, SMALL), await serve(large, LARGE));
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

async function timed(engine: string, fill: () => Promise<void>): Promise<void> {
  const started = performance.now();
  await fill();
  const seconds = Math.round((performance.now() - started) / 1_000);
  console.error(`a market on ${engine} was made in ${seconds} s`);
}
