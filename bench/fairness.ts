import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { issueToken } from '../src/tokens/issue-token.ts';
import { HEAVY_REQUESTS, type HeavyKind } from './heavy-requests.ts';
import { days, type FileStore, symbols } from './million-quotes.ts';
import { readCpuSeconds } from './process-usage.ts';
import type { ResultRow } from './result-table.ts';
import { type ServerProcess, startTenor } from './server-processes.ts';
import { percentile } from './statistics.ts';

const SMALL_REQUESTS = 3_000;
const WARM_UP_MS = 1_500;
const ABANDONED_REQUESTS = {
  'workbooks of 10,000 quotes': 100,
  'JSON pages of 10,000 quotes': 800,
};
/** The wait of abandoned clients before they hang up. */
const HANG_UP_AFTER_MS = 500;
const OBSERVED_MS = 5_000;

/** Cost of the heavy requests of one token to another one, and of abandoned ones. */
export async function benchmarkFairness(store: FileStore): Promise<ResultRow[]> {
  const tokens = store.tokens();
  const issue = async (name: string) => {
    const options = { name, scopes: ['quotes'], rate: 'off', expiresAt: null };
    return (await issueToken(tokens, options)).secret;
  };
  const [heavyToken, smallToken] = [await issue('heavy'), await issue('small')];
  tokens.close();
  const server = await startTenor(store.url);
  const measure = createLatencyMeasurement(server, smallToken);
  const rows: ResultRow[] = [];
  try {
    await measure();
    for (const kind of Object.keys(HEAVY_REQUESTS) as HeavyKind[]) {
      // Before each, because the machine may be shared.
      const alone = await measure();
      const client = startHeavyClient(server, heavyToken, kind);
      await Bun.sleep(WARM_UP_MS);
      const loaded = await measure();
      client.kill();
      await client.exited;
      rows.push({
        label: `p99 of one quote, not cached, during eight ${kind} of another token`,
        measured: `${loaded.toFixed(2)} ms`,
        baseline: `${alone.toFixed(2)} ms, alone`,
        ratio: loaded / alone,
        aim: '≤ 5',
      });
    }
    for (const [kind, count] of Object.entries(ABANDONED_REQUESTS))
      rows.push(await measureAbandonedRequests(server, heavyToken, kind as HeavyKind, count));
  } finally {
    await server.stop();
  }
  return rows;
}

/** Measures the 99th percentile of the time that a small response takes, in milliseconds. */
function createLatencyMeasurement({ address }: ServerProcess, token: string) {
  let requestCount = 0;
  return async (): Promise<number> => {
    const times: number[] = [];
    while (times.length < SMALL_REQUESTS) {
      const index = requestCount++;
      // Another quote each time, in no order.
      const quote = (index * 7_919) % (symbols.length * days.length);
      const symbol = symbols[quote % symbols.length];
      const date = days[Math.floor(quote / symbols.length)];
      const startedMs = performance.now();
      const response = await fetch(`${address}/2.0/bnb/quote?symbol=${symbol}&date=${date}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const body = await response.text();
      times.push(performance.now() - startedMs);
      if (!body.includes(`"symbol":"${symbol}"`)) throw new Error(`not a quote: ${body}`);
    }
    return percentile(times, 0.99);
  };
}

function startHeavyClient({ address }: ServerProcess, token: string, kind: HeavyKind) {
  const program = join(import.meta.dirname, 'heavy-client.ts');
  return Bun.spawn([process.execPath, program, address, token, kind], { stdio: ['ignore', 2, 2] });
}

/** The processor time that a server spends after clients have hung up, and its peak memory. */
async function measureAbandonedRequests(
  server: ServerProcess,
  token: string,
  kind: HeavyKind,
  count: number,
): Promise<ResultRow> {
  const { hostname, port } = new URL(server.address);
  const sockets = Array.from({ length: count }, (_, index) => {
    const { target, headers } = HEAVY_REQUESTS[kind](index);
    const lines = Object.entries({ host: hostname, authorization: `Bearer ${token}`, ...headers });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.write(`GET ${target} HTTP/1.1\r\n${head}\r\n`);
    return socket;
  });
  await Bun.sleep(HANG_UP_AFTER_MS);
  for (const socket of sockets) socket.destroy();
  const before = readCpuSeconds(server.pid);
  await Bun.sleep(OBSERVED_MS);
  const seconds = readCpuSeconds(server.pid) - before;
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  const peakMegabytes = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1_024;
  return {
    label: `${count} ${kind}, abandoned after ${HANG_UP_AFTER_MS} ms`,
    measured: `${seconds.toFixed(2)} s of processor time after that, ${Math.round(peakMegabytes)} MB at most since the start`,
    baseline: '–',
    ratio: undefined,
    aim: '≤ 1 s',
  };
}
