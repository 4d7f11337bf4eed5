import { join } from 'node:path';
import { RequestMetrics } from '../src/http/pipeline/request-metrics.ts';
import type { CachedTarget } from './cached-responses.ts';
import { loadGenerator, type RequestLoad } from './load-generator.ts';
import { readCpuNanos } from './process-usage.ts';
import { formatLimitRow, type ResultRow } from './result-table.ts';
import { AUTHORIZATION_HEADERS, ROOT, type ServerProcess, startTenor } from './server-processes.ts';
import { median, percentile } from './statistics.ts';

const SECONDS = 1;
const ROUNDS = 40;
const SCRAPES = 100;

/**
 * Cost of counting requests, in processor time for each cached response, which other load on the
 * machine disturbs less than the rate: a server that counts against one that does not.
 */
export async function benchmarkMetricsCost(target: CachedTarget): Promise<ResultRow[]> {
  const settings = { LOG_REQUESTS: 'off', ADMIN_PORT: String(await findFreePort()) };
  const { databaseUrl } = target;
  const uncounted = await startTenor(databaseUrl, { LOG_REQUESTS: 'off' }, [
    process.execPath,
    join(ROOT, 'bench/uncounted-server.ts'),
  ]);
  const counted = await startTenor(databaseUrl, settings);
  try {
    return [
      await compareCpu('counted', target, counted, uncounted, '≥ 0.97'),
      await compareCpu('the same server twice, for the noise', target, counted, counted, ''),
      measureCounting(await measureCpuMicros(uncounted, target.target)),
      await measureScrape(counted, settings.ADMIN_PORT),
    ];
  } finally {
    await Promise.all([uncounted, counted].map((server) => server.stop()));
  }
}

const COUNTED = 5_000_000;
const MAX_SHARE = 0.03;

/** The counting alone, in process, against a part of the processor time of a response. */
function measureCounting(responseMicros: number): ResultRow {
  const metrics = new RequestMetrics();
  const response = { status: 200, body: null, headers: new Headers(), revision: 1 };
  const count = () => {
    const startedMs = performance.now();
    for (let index = 0; index < COUNTED; index++) {
      const seconds = (index % 1_000) / 1e6;
      metrics.record({ method: 'GET', routePath: '/2.0/bnb/quote', seconds, bytes: 100 }, response);
    }
    return ((performance.now() - startedMs) / COUNTED) * 1e6;
  };
  const nanos = Math.round(median(Array.from({ length: 5 }, count)));
  const limit = Math.round(MAX_SHARE * responseMicros * 1_000);
  const label = 'counting one request, in process, against 3 % of a cached response';
  return formatLimitRow(label, `${nanos} ns`, nanos, limit, 'ns');
}

async function measureScrape({ pid }: ServerProcess, adminPort: string): Promise<ResultRow> {
  const scrape = async () => {
    const response = await fetch(`http://127.0.0.1:${adminPort}/metrics`);
    if (!response.ok) throw new Error(`/metrics: ${response.status}`);
    await response.text();
  };
  // The first one reads the datasets.
  await scrape();
  const before = readCpuNanos(pid);
  for (let count = 0; count < SCRAPES; count++) await scrape();
  const ms = (readCpuNanos(pid) - before) / SCRAPES / 1e6;
  const measured = `${ms.toFixed(1)} ms of processor time`;
  return { label: 'a scrape of one process', measured, baseline: '–', ratio: undefined, aim: '' };
}

async function compareCpu(
  label: string,
  { name, target }: CachedTarget,
  first: ServerProcess,
  second: ServerProcess,
  aim: string,
): Promise<ResultRow> {
  const measure = (server: ServerProcess) => measureCpuMicros(server, target);
  await measure(first);
  await measure(second);
  const rounds: { first: number; second: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // The order changes, because the second one finds a busier machine.
    const isFirstFirst = round % 2 === 0;
    const earlier = await measure(isFirstFirst ? first : second);
    const later = await measure(isFirstFirst ? second : first);
    rounds.push(
      isFirstFirst ? { first: earlier, second: later } : { first: later, second: earlier },
    );
  }
  const ratios = rounds.map((round) => round.second / round.first);
  const spread = [0.25, 0.75].map((share) => percentile(ratios, share).toFixed(3)).join(' to ');
  return {
    label: `${name}, cached, ${label}`,
    measured: `${median(rounds.map((round) => round.first)).toFixed(2)} µs of processor time`,
    baseline: `${median(rounds.map((round) => round.second)).toFixed(2)} µs; half of the rounds: ${spread}`,
    ratio: median(ratios),
    aim,
  };
}

/** Processor time for each response. */
async function measureCpuMicros({ address, pid }: ServerProcess, target: string): Promise<number> {
  const load: RequestLoad = { address, targets: [target], headers: AUTHORIZATION_HEADERS };
  const before = readCpuNanos(pid);
  const rate = await loadGenerator.run(load, SECONDS);
  return (readCpuNanos(pid) - before) / (rate * SECONDS) / 1_000;
}

async function findFreePort(): Promise<number> {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() });
  const { port = 0 } = server;
  await server.stop(true);
  return port;
}
