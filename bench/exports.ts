import { connect } from 'node:net';
import type { Row } from './result-table.ts';
import { AUTHORIZED, ours, type Running } from './server-processes.ts';

const FORMATS = ['ndjson', 'csv', 'parquet'] as const;
const MOST_GROWN_MB = 50;
const MOST_WAIT_MS = 50;
const SMALL = '/2.0/bnb/quote';
const STALLED_MS = 5_000;

/** What sending 1,000,000 quotes takes of a server's memory, and of other requests' time. */
export async function exports(databaseUrl: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const format of FORMATS) {
    const target = `/exports/quotes.${format}`;
    const used = await whileServing(databaseUrl, ({ address }) => download(address + target));
    rows.push(grown(`as ${format}`, used.megabytes), waited(`while ${format} is sent`, used.waits));
  }
  const stalled = await whileServing(databaseUrl, ({ address }) => stall(address));
  rows.push(grown('to a client that stops reading', stalled.megabytes));
  return rows;
}

const grown = (what: string, megabytes: number): Row => ({
  what: `memory grown by an export of 1,000,000 quotes ${what}`,
  measured: `${Math.round(megabytes)} MB at most`,
  against: `${MOST_GROWN_MB} MB`,
  ratio: megabytes / MOST_GROWN_MB,
  aim: '< 1',
});

const waited = (what: string, waits: readonly number[]): Row => {
  const sorted = waits.toSorted((a, b) => a - b);
  const at99 = sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
  return {
    what: `a small request ${what}, 99th percentile`,
    measured: `${at99.toFixed(1)} ms`,
    against: `${MOST_WAIT_MS} ms`,
    ratio: at99 / MOST_WAIT_MS,
    aim: '< 1',
  };
};

/** How much a fresh server grew while something went on, and how long others waited. */
async function whileServing(databaseUrl: string, callback: (server: Running) => Promise<void>) {
  const server = await ours(databaseUrl);
  try {
    for (let iteration = 0; iteration < 500; iteration++) await ask(server);
    const before = resident(server.pid);
    let max = before;
    let isFinished = false;
    const watching = setInterval(() => {
      max = Math.max(max, resident(server.pid));
    }, 50);
    const worked = callback(server).finally(() => {
      isFinished = true;
    });
    const waits: number[] = [];
    while (!isFinished) {
      const started = performance.now();
      await ask(server);
      waits.push(performance.now() - started);
      await Bun.sleep(1);
    }
    await worked;
    clearInterval(watching);
    return { megabytes: max - before, waits };
  } finally {
    await server.stop();
  }
}

async function ask({ address }: Running): Promise<void> {
  const response = await fetch(address + SMALL, { headers: AUTHORIZED });
  if (response.status !== 200) throw new Error(`status ${response.status}`);
  await response.bytes();
}

/** In a process of its own: what it does with the bytes must not keep the others waiting. */
async function download(url: string): Promise<void> {
  const script = `
    const response = await fetch(${JSON.stringify(url)}, { headers: ${JSON.stringify(AUTHORIZED)} });
    if (response.status !== 200) throw new Error('status ' + response.status);
    for await (const _ of response.body);`;
  const child = Bun.spawn([process.execPath, '-e', script], { stderr: 'inherit' });
  if ((await child.exited) !== 0) throw new Error(`${url} broke off`);
}

/** Takes a little of a file, and then no more of it. */
async function stall(address: string): Promise<void> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  const { Authorization } = AUTHORIZED;
  socket.write(
    `GET /exports/quotes.ndjson HTTP/1.1\r\nHost: x\r\nAuthorization: ${Authorization}\r\n\r\n`,
  );
  socket.once('data', () => socket.pause());
  await Bun.sleep(STALLED_MS);
  socket.destroy();
}

function resident(pid: number): number {
  const { stdout } = Bun.spawnSync(['ps', '-o', 'rss=', '-p', String(pid)]);
  return Number(stdout.toString()) / 1_024;
}
