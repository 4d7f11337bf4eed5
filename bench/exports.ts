import { connect } from 'node:net';
import { getResidentMegabytes, measurePeakMegabytes } from './process-usage.ts';
import { formatLimitRow, type ResultRow } from './result-table.ts';
import { AUTHORIZATION_HEADERS, type ServerProcess, startTenor } from './server-processes.ts';
import { percentile } from './statistics.ts';

const FORMATS = ['ndjson', 'csv', 'parquet'] as const;
const MAX_MEMORY_GROWTH_MB = 50;
const MAX_WAIT_MS = 50;
const SMALL_TARGET = '/2.0/bnb/quote';
const STALL_MS = 5_000;

/** Memory growth and latency of other requests while 1,000,000 quotes are exported. */
export async function benchmarkExports(databaseUrl: string): Promise<ResultRow[]> {
  const rows: ResultRow[] = [];
  for (const format of FORMATS) {
    const target = `/exports/quotes.${format}`;
    const usage = await measureServerDuring(databaseUrl, ({ address }) =>
      download(address + target),
    );
    rows.push(
      memoryRow(`as ${format}`, usage.megabytes),
      latencyRow(`while ${format} is sent`, usage.waits),
    );
  }
  const stalled = await measureServerDuring(databaseUrl, ({ address }) => stall(address));
  rows.push(memoryRow('to a client that stops reading', stalled.megabytes));
  return rows;
}

const memoryRow = (name: string, megabytes: number): ResultRow =>
  formatLimitRow(
    `memory grown by an export of 1,000,000 quotes ${name}`,
    `${Math.round(megabytes)} MB at most`,
    megabytes,
    MAX_MEMORY_GROWTH_MB,
    'MB',
  );

const latencyRow = (name: string, waits: readonly number[]): ResultRow => {
  const p99 = percentile(waits, 0.99);
  const label = `a small request ${name}, 99th percentile`;
  return formatLimitRow(label, `${p99.toFixed(1)} ms`, p99, MAX_WAIT_MS, 'ms');
};

/** The memory growth of a new server during a callback, and the latency of small requests. */
async function measureServerDuring(
  databaseUrl: string,
  callback: (server: ServerProcess) => Promise<void>,
) {
  const server = await startTenor(databaseUrl);
  try {
    for (let iteration = 0; iteration < 500; iteration++) await sendSmallRequest(server);
    const before = getResidentMegabytes(server.pid);
    const waits: number[] = [];
    const peak = await measurePeakMegabytes(server.pid, async () => {
      let isFinished = false;
      const operation = callback(server).finally(() => {
        isFinished = true;
      });
      while (!isFinished) {
        const started = performance.now();
        await sendSmallRequest(server);
        waits.push(performance.now() - started);
        await Bun.sleep(1);
      }
      await operation;
    });
    return { megabytes: peak - before, waits };
  } finally {
    await server.stop();
  }
}

async function sendSmallRequest({ address }: ServerProcess): Promise<void> {
  const response = await fetch(address + SMALL_TARGET, { headers: AUTHORIZATION_HEADERS });
  if (response.status !== 200) throw new Error(`status ${response.status}`);
  await response.bytes();
}

/** Downloads in another process, so that it does not delay the small requests. */
async function download(url: string): Promise<void> {
  const script = `
    const response = await fetch(${JSON.stringify(url)}, { headers: ${JSON.stringify(AUTHORIZATION_HEADERS)} });
    if (response.status !== 200) throw new Error('status ' + response.status);
    for await (const _ of response.body);`;
  const child = Bun.spawn([process.execPath, '-e', script], { stderr: 'inherit' });
  if ((await child.exited) !== 0) throw new Error(`${url} failed`);
}

/** Reads the start of a file and then stops reading. */
async function stall(address: string): Promise<void> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  const { Authorization } = AUTHORIZATION_HEADERS;
  socket.write(
    `GET /exports/quotes.ndjson HTTP/1.1\r\nHost: x\r\nAuthorization: ${Authorization}\r\n\r\n`,
  );
  socket.once('data', () => socket.pause());
  await Bun.sleep(STALL_MS);
  socket.destroy();
}
