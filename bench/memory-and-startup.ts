import { join } from 'node:path';
import { days, symbols } from './million-quotes.ts';
import type { ResultRow } from './result-table.ts';
import { startTenor, TOKEN } from './server-processes.ts';

const REQUESTS = 30_000;
const CONNECTIONS = 32;
const ROOT = join(import.meta.dirname, '..');

/** The server's resident memory under cached and uncached requests. */
export async function measureResidentMemory(databaseUrl: string): Promise<ResultRow> {
  const server = await startTenor(databaseUrl);
  const headers = { authorization: `Bearer ${TOKEN}` };
  let max = 0;
  const timer = setInterval(() => {
    max = Math.max(max, getResidentMegabytes(server.pid));
  }, 100);
  let requestCount = 0;
  const client = async () => {
    while (requestCount < REQUESTS) {
      const response = await fetch(`${server.address}${buildTarget(requestCount++)}`, { headers });
      if (response.status !== 200) throw new Error(`status ${response.status}`);
      await response.bytes();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  max = Math.max(max, getResidentMegabytes(server.pid));
  clearInterval(timer);
  await server.stop();
  return {
    label: `resident memory, 1,000,000 quotes, ${REQUESTS} requests over ${CONNECTIONS} connections`,
    measured: `${Math.round(max)} MB at most`,
    baseline: '200 MB',
    ratio: max / 200,
    aim: '< 1',
  };
}

/** Histories, snapshots and the newest day; one in ten is large. */
function buildTarget(iteration: number): string {
  const symbol = symbols[(iteration * 7_919) % symbols.length];
  const day = days[(iteration * 104_729) % days.length];
  if (iteration % 10 === 0)
    return `/2.0/bnb/quote?to=${day}&limit=${iteration % 100 === 0 ? 10_000 : 500}`;
  if (iteration % 3 === 0) return '/2.0/bnb/quote';
  return iteration % 2 === 0
    ? `/2.0/bnb/quote?symbol=${symbol}&from=${day}`
    : `/2.0/bnb/quote?date=${day}&type=bond`;
}

/** From `npm start` to the first response, on an existing database. */
export async function measureStartTimes(databaseUrl: string): Promise<ResultRow> {
  const times: number[] = [];
  for (let round = 0; round < 5; round++) times.push(await measureStart(databaseUrl));
  const typical = times.toSorted((a, b) => a - b)[2] ?? Number.NaN;
  return {
    label: 'npm start to the first response, 1,000,000 quotes',
    measured: `${typical.toFixed(2)} s`,
    baseline: '1 s',
    ratio: typical,
    aim: '< 1',
  };
}

async function measureStart(databaseUrl: string): Promise<number> {
  const port = String(20_000 + Math.floor(Math.random() * 20_000));
  const settings = { DATABASE_URL: databaseUrl, API_TOKEN: TOKEN, PORT: port };
  const started = performance.now();
  const child = Bun.spawn(['npm', 'start'], {
    cwd: ROOT,
    env: { ...process.env, ...settings },
    stdout: 'ignore',
    stderr: 'ignore',
  });
  const headers = { authorization: `Bearer ${TOKEN}` };
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/2.0/bnb/quote`, { headers }).catch(
      () => undefined,
    );
    if (response?.status === 200) break;
    if (performance.now() - started > 20_000) throw new Error('npm start did not respond');
    await Bun.sleep(5);
  }
  const seconds = (performance.now() - started) / 1_000;
  child.kill();
  await child.exited;
  return seconds;
}

function getResidentMegabytes(pid: number): number {
  const { stdout } = Bun.spawnSync(['ps', '-o', 'rss=', '-p', String(pid)]);
  return Number(stdout.toString()) / 1_024;
}
