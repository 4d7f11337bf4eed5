// Checks every response of two workers while replicas lag, hang, die and are promoted:
// bun bench/faults/replicas.ts --minutes 10
import { parseArgs } from 'node:util';
import { catalogue } from '../../src/catalogue/index.ts';
import { openStore } from '../../src/store/open-store.ts';
import { runSql } from '../../test/support/postgres/databases.ts';
import { type PostgresServer, startPostgres } from '../../test/support/postgres.ts';
import { getPrice, reprice } from '../../test/support/priced-market.ts';
import { AUTHORIZATION_HEADERS, startTenor } from '../server-processes.ts';

const { values: options } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
const DATABASE = 'tenor';
const SYMBOLS = 20;
const PUBLISH_INTERVAL_MS = 1_000;
const PAUSE_MS = 5;
const FAULT_MS = 3_000;
const TIMEOUT_MS = 15_000;
const APPLY_DELAY = '150ms';

const primary = await startPostgres({ settings: { wal_retrieve_retry_interval: '100ms' } });
await primary.createDatabase(DATABASE);
const url = primary.url(DATABASE);
await reprice(await openStore(url, catalogue));
const standbys = [await primary.standby(), await primary.standby()] as const;
const replicas = standbys.map((standby) => standby.url(DATABASE));
const publishingStore = await openStore(url, catalogue, { replicas });
const server = await startTenor(url, {
  DATABASE_REPLICAS: replicas.join(','),
  SAMPLE_DATA: 'off',
  WORKERS: '2',
});

let phase = 'quiet';
let isOver = false;
let newest = 0;
let counter = 0;
const counts = { responses: 0, pages: 0, exports: 0, publications: 0, failedPublications: 0 };
const problems: string[] = [];
const failures = new Map<string, number>();
let slowest = { ms: 0, phase: '' };

const lanes = [checkNewest, checkNewest, checkPages, checkPages, checkExport].map(repeat);
const publishing = publishRepeatedly();
await runFaults(performance.now() + Number(options.minutes) * 60_000);
await promote();
isOver = true;
await Promise.all([...lanes, publishing]);
console.log(JSON.stringify({ ...counts, slowest, failures: Object.fromEntries(failures) }));
console.log(`${problems.length} problems`, problems.slice(0, 10));
await server.stop();
await Promise.all([primary, ...standbys].map((each) => each.stop()));
process.exit(problems.length === 0 ? 0 : 1);

async function runFaults(endMs: number): Promise<void> {
  const [first, second] = standbys;
  const faults: Readonly<Record<string, () => Promise<unknown>>> = {
    'one standby is paused': () => during(first.pauseReplay, first.resumeReplay),
    'both standbys lag': () =>
      during(
        () => delayBoth(APPLY_DELAY),
        () => delayBoth('0'),
      ),
    'one standby hangs': () => during(second.pause, second.resume),
    'both standbys are paused': () =>
      during(
        () => forBoth((standby) => standby.pauseReplay()),
        () => forBoth((standby) => standby.resumeReplay()),
      ),
    'one standby is killed': () => during(first.kill, first.restart),
    'both standbys hang': () =>
      during(
        () => forBoth((standby) => standby.pause()),
        () => forBoth((standby) => standby.resume()),
      ),
  };
  while (performance.now() < endMs) {
    for (const [name, run] of Object.entries(faults)) {
      phase = name;
      await run();
      phase = `after: ${name}`;
      await Bun.sleep(FAULT_MS);
    }
  }
}

async function during(begin: () => Promise<unknown>, end: () => Promise<unknown>) {
  await begin();
  await Bun.sleep(FAULT_MS);
  await end();
}

function forBoth(run: (standby: PostgresServer) => Promise<unknown>) {
  return Promise.all(standbys.map(run));
}

function delayBoth(delay: string) {
  return forBoth(async (standby) => {
    await runSql(standby.url(), `ALTER SYSTEM SET recovery_min_apply_delay = '${delay}'`);
    await runSql(standby.url(), 'SELECT pg_reload_conf()');
  });
}

/** The primary is killed when its standby has all of its revisions, and that one is promoted. */
async function promote(): Promise<void> {
  phase = 'the primary is killed, and a standby promoted';
  await primary.kill();
  await standbys[0].promote();
  await Bun.sleep(10 * FAULT_MS);
}

async function publishRepeatedly(): Promise<void> {
  while (!isOver) {
    await Bun.sleep(PUBLISH_INTERVAL_MS);
    await reprice(publishingStore).then(
      () => counts.publications++,
      () => counts.failedPublications++,
    );
  }
}

async function repeat(check: () => Promise<void>): Promise<void> {
  while (!isOver) {
    await check().catch((cause: Error) => {
      const reason = `${phase}: ${cause.message}`;
      failures.set(reason, (failures.get(reason) ?? 0) + 1);
    });
    await Bun.sleep(PAUSE_MS);
  }
}

/** A request that is known to the server, or one that is not, is never older than one before. */
async function checkNewest(): Promise<void> {
  const before = newest;
  const limit = counter++ % 2 === 0 ? SYMBOLS : SYMBOLS + (counter % 9_000);
  const { revision, records } = await readPage(`/2.0/bnb/quote?limit=${limit}`);
  if (revision < before) problems.push(`${phase}: ${revision} after ${before}`);
  assertPrices(revision, records);
}

/** All pages of a read have one revision, whichever process and server sends them. */
async function checkPages(): Promise<void> {
  const revisions = new Set<number>();
  const all: Quote[] = [];
  let target: string | undefined = `/2.0/bnb/quote?limit=${3 + (counter++ % 7)}`;
  while (target !== undefined) {
    const page = await readPage(target);
    revisions.add(page.revision);
    all.push(...page.records);
    target = page.next;
  }
  counts.pages++;
  const [revision = 0] = revisions;
  if (revisions.size > 1) problems.push(`${phase}: pages of ${[...revisions]}`);
  assertPrices(revision, all);
}

async function checkExport(): Promise<void> {
  const response = await send('/exports/quotes.ndjson');
  const lines = (await response.text()).trim().split('\n');
  counts.exports++;
  assertPrices(
    getRevision(response),
    lines.map((line) => JSON.parse(line) as Quote),
  );
}

interface Quote {
  readonly lastPrice: number;
}

function assertPrices(revision: number, records: readonly Quote[]): void {
  const isRight = records.every(({ lastPrice }) => lastPrice === getPrice(revision));
  if (records.length === SYMBOLS && isRight) return;
  problems.push(`${phase}: ${records.length} records at ${revision}: ${JSON.stringify(records)}`);
}

async function readPage(target: string) {
  const response = await send(target);
  const { data } = (await response.json()) as { data: readonly Quote[] };
  const next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  return { revision: getRevision(response), records: data, next };
}

/** Sends a request on a new connection, so that any of the processes may get it. */
async function send(target: string): Promise<Response> {
  const startedMs = performance.now();
  try {
    const response = await fetch(new URL(target, server.address), {
      headers: AUTHORIZATION_HEADERS,
      keepalive: false,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`status ${response.status}`);
    counts.responses++;
    newest = Math.max(newest, getRevision(response));
    return response;
  } finally {
    const ms = Math.round(performance.now() - startedMs);
    if (ms > slowest.ms) slowest = { ms, phase };
  }
}

function getRevision({ headers }: Response): number {
  return Number(headers.get('tenor-revision'));
}
