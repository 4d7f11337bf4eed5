import { buildColdTarget, type Market } from './cold/requests.ts';
import { market } from './million-quotes.ts';
import { measurePeakMegabytes } from './process-usage.ts';
import { formatLimitRow, type ResultRow } from './result-table.ts';
import { AUTHORIZATION_HEADERS, ROOT, startTenor, TOKEN } from './server-processes.ts';
import { median } from './statistics.ts';

/** The duration of the mixed load: BENCH_MEMORY_SECONDS=600 for ten minutes. */
const SECONDS = Number(process.env.BENCH_MEMORY_SECONDS ?? 60);
const CONNECTIONS = 32;
const MAX_MEGABYTES = 300;
const STARTS = 5;

/** The server's resident memory under cached and uncached requests. */
export async function measureResidentMemory(databaseUrl: string): Promise<ResultRow> {
  const server = await startTenor(databaseUrl);
  let requestCount = 0;
  const megabytes = await measurePeakMegabytes(server.pid, async () => {
    requestCount = await sendMixedRequests(server.address, market, SECONDS);
  }).finally(() => server.stop());
  return formatLimitRow(
    `resident memory, 1,000,000 quotes, ${SECONDS} s of mixed load over ${CONNECTIONS} connections`,
    `${Math.round(megabytes)} MB at most (${requestCount.toLocaleString('en')} requests)`,
    megabytes,
    MAX_MEGABYTES,
    'MB',
  );
}

/** Sends requests of all kinds for so many seconds; returns how many. */
export async function sendMixedRequests(
  address: string,
  market: Market,
  seconds: number,
): Promise<number> {
  const deadline = performance.now() + seconds * 1_000;
  let requestCount = 0;
  const client = async () => {
    let etag = '';
    while (performance.now() < deadline) {
      const { target, headers } = buildMixedRequest(market, requestCount++, etag);
      const response = await fetch(`${address}${target}`, {
        headers: { ...AUTHORIZATION_HEADERS, ...headers },
      });
      // A busy server refuses large responses for a while.
      if (![200, 304, 503].includes(response.status))
        throw new Error(`${target}: status ${response.status}`);
      await response.bytes();
      etag = response.headers.get('etag') ?? '';
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  return requestCount;
}

/**
 * Histories and snapshots, and a third of the newest day, which is cached; one in ten is large, one
 * in thirty is CSV. fetch accepts compression, and the last tag is sent along with the newest day.
 */
function buildMixedRequest(market: Market, iteration: number, etag: string) {
  const day = market.days[(iteration * 104_729) % market.days.length];
  const headers: Record<string, string> = iteration % 30 === 20 ? { Accept: 'text/csv' } : {};
  if (iteration % 10 === 0) {
    const limit = iteration % 100 === 0 ? 10_000 : 500;
    return { target: `/2.0/bnb/quote?to=${day}&limit=${limit}`, headers };
  }
  if (iteration % 3 === 0)
    return { target: '/2.0/bnb/quote', headers: etag ? { 'If-None-Match': etag } : {} };
  const kinds = ['history', 'snapshot', 'history-by-isin'] as const;
  const kind = kinds[Math.floor(iteration / 3) % kinds.length] ?? 'history';
  return { target: buildColdTarget(market, kind, iteration), headers };
}

/** Measures the time from `npm start` to the first response, on an existing database. */
export async function measureStartTimes(databaseUrl: string): Promise<ResultRow> {
  const times: number[] = [];
  for (let round = 0; round < STARTS; round++) times.push(await measureStart(databaseUrl));
  const seconds = median(times);
  const label = 'npm start to the first response, 1,000,000 quotes';
  return formatLimitRow(label, `${seconds.toFixed(2)} s`, seconds, 1, 's');
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
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/2.0/bnb/quote`, {
      headers: AUTHORIZATION_HEADERS,
    }).catch(() => undefined);
    if (response?.status === 200) break;
    if (performance.now() - started > 20_000) throw new Error('npm start did not respond');
    await Bun.sleep(5);
  }
  const seconds = (performance.now() - started) / 1_000;
  child.kill();
  await child.exited;
  return seconds;
}
