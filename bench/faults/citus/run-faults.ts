// Checks every response while shards move and workers hang and die. It runs for the given minutes:
// bun bench/faults/citus/run-faults.ts /usr/lib/postgresql/15/bin --minutes 10
import { parseArgs } from 'node:util';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../../src/catalogue/index.ts';
import { checkDatabase } from '../../../src/publish/check/check-database.ts';
import { publishRecords } from '../../../src/publish/publish-records.ts';
import { migrateStore, openInspector, openStore } from '../../../src/store/open-store.ts';
import { startTenor } from '../../server-processes.ts';
import {
  type CheckingClient,
  type CheckName,
  createFindings,
  type Findings,
  pickSymbol,
  runCheck,
} from './checking-client.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { listAllQuotes, listQuotes, symbols } from './market.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '10' },
    port: { type: 'string', default: '20000' },
  },
});
const FAULT_MS = 15_000;
const QUIET_MS = 5_000;
const MAX_DRAINS = 5;
const PUBLISH_INTERVAL_MS = 4_000;
const [SYMBOL_PAUSE_MS, ALL_SHARDS_PAUSE_MS] = [250, 200];
/** More than a server has connections. */
const SYMBOL_CLIENTS = 12;
/** Each client begins with other symbols. */
const SYMBOL_STEP = 25;

const cluster = await startCluster(positionals[0] ?? '', Number(options.port));
await migrateStore(cluster.url, catalogue, { distribute: true });
const store = await openStore(cluster.url, catalogue);
await publishVolume(listAllQuotes(1), 1);
const server = await startTenor(cluster.url);
const client: CheckingClient = { address: server.address, getVolume: createVolumeLookup(cluster) };

/** The fault that the cluster has now, and the symbols that it concerns. */
let phase = 'quiet';
let lostSymbols: ReadonlySet<string> = new Set();
let isOver = false;
const findings = new Map<string, Findings>();
const checkFaults: string[] = [];
let [publications, failedPublications, databaseChecks] = [0, 0, 0];

const loops = [
  ...Array.from({ length: SYMBOL_CLIENTS }, (_, index) =>
    repeat(['latest', 'history'], SYMBOL_PAUSE_MS, index * SYMBOL_STEP),
  ),
  repeat(['snapshot', 'pages'], ALL_SHARDS_PAUSE_MS),
  repeat(['export'], ALL_SHARDS_PAUSE_MS),
  publishRepeatedly(),
  checkRepeatedly(),
];
await runFaults(performance.now() + Number(options.minutes) * 60_000);
isOver = true;
await Promise.all(loops);
report();
await server.stop();
await cluster.stop();
process.exit(0);

async function runFaults(endMs: number): Promise<void> {
  for (let round = 0; performance.now() < endMs; round++) {
    const worker = cluster.workers[round % cluster.workers.length];
    if (!worker) return;
    const { port } = worker;
    await during('drain', () => drain(port));
    await cluster.query(
      `SELECT citus_set_node_property('127.0.0.1', ${port}, 'shouldhaveshards', true)`,
    );
    await during('rebalance', rebalance);
    lostSymbols = await findSymbols(port);
    await during(
      'hang',
      () => Bun.sleep(FAULT_MS),
      worker.pause,
      async () => worker.resume(),
    );
    await during('kill', () => Bun.sleep(FAULT_MS), worker.kill, worker.start);
    lostSymbols = new Set();
  }
}

/** Citus ends it where it waits for a publication that waits for it. */
async function drain(port: number): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await cluster.query(`SELECT citus_drain_node('127.0.0.1', ${port}, 'block_writes')`);
      return;
    } catch (cause) {
      if (attempt === MAX_DRAINS || !/deadlock/.test((cause as Error).message)) throw cause;
    }
  }
}

async function rebalance(): Promise<void> {
  await cluster.query("SELECT citus_rebalance_start(shard_transfer_mode => 'block_writes')");
  await cluster.query('SELECT citus_rebalance_wait()');
}

/** Runs a fault, then waits until the cluster has recovered from it. */
async function during(
  name: string,
  run: () => Promise<unknown>,
  begin: () => Promise<unknown> = async () => {},
  end: () => Promise<unknown> = async () => {},
): Promise<void> {
  console.error(`${new Date().toISOString()} ${name}`);
  phase = name;
  try {
    await begin();
    await run();
  } catch (cause) {
    console.error(`${name} failed: ${(cause as Error).message}`);
  }
  await end();
  phase = `after ${name}`;
  await Bun.sleep(QUIET_MS);
  phase = 'quiet';
  await Bun.sleep(QUIET_MS);
}

async function repeat(names: readonly CheckName[], pauseMs: number, first = 0): Promise<void> {
  for (let iteration = first; !isOver; iteration++) {
    const name = names[iteration % names.length] ?? 'latest';
    await runCheck(client, name, iteration, getFindings(name, iteration));
    await Bun.sleep(pauseMs);
  }
}

/** The findings about a phase and a kind of request; for one symbol, by whether its worker is lost. */
function getFindings(name: CheckName, iteration: number): Findings {
  const isSymbol = name === 'latest' || name === 'history';
  const place = lostSymbols.has(pickSymbol(iteration)) ? 'lost worker' : 'healthy worker';
  const kind = isSymbol ? `one symbol, ${place}` : name === 'export' ? 'export' : 'all shards';
  const key = `${phase}: ${kind}`;
  const existing = findings.get(key) ?? createFindings();
  findings.set(key, existing);
  return existing;
}

async function publishRepeatedly(): Promise<void> {
  for (let volume = 2; !isOver; volume++) {
    await Bun.sleep(PUBLISH_INTERVAL_MS);
    await publishVolume(listQuotes(0, volume), volume).then(
      () => publications++,
      () => failedPublications++,
    );
  }
}

/** The ledger says which volume a revision has, whatever became of the publications before. */
async function publishVolume(records: Iterable<object>, volume: number): Promise<void> {
  const publisher = store.publisher();
  try {
    const source = String(volume);
    await publishRecords(publisher, { dataset: quotes, records, source, author: 'bench' });
  } finally {
    publisher.close();
  }
}

function createVolumeLookup({ query }: Cluster): CheckingClient['getVolume'] {
  const volumes = new Map<number, number>();
  return async (revision) => {
    if (!volumes.has(revision)) {
      const sql = `SELECT source FROM revisions WHERE revision = ${revision}`;
      const [row] = await query<{ source: string }>(sql);
      volumes.set(revision, Number(row?.source));
    }
    return volumes.get(revision) ?? Number.NaN;
  };
}

async function findSymbols(port: number): Promise<ReadonlySet<string>> {
  const rows = await cluster.query<{ symbol: string }>(`SELECT symbol
    FROM unnest(ARRAY['${symbols.join("', '")}']) AS symbol
    JOIN pg_dist_placement ON shardid = get_shard_id_for_distribution_column('quotes_now', symbol)
    JOIN pg_dist_node USING (groupid) WHERE nodeport = ${port}`);
  return new Set(rows.map(({ symbol }) => symbol));
}

/** Checks the database while shards move; while a worker is lost it cannot be read. */
async function checkRepeatedly(): Promise<void> {
  for (; !isOver; await Bun.sleep(ALL_SHARDS_PAUSE_MS)) {
    if (phase !== 'drain' && phase !== 'rebalance') continue;
    const inspector = await openInspector(cluster.url, catalogue);
    const { faults } = await checkDatabase(inspector, catalogue);
    inspector.close();
    databaseChecks++;
    checkFaults.push(...faults.slice(0, 3));
  }
}

function report(): void {
  const rows = [...findings].toSorted(([a], [b]) => a.localeCompare(b));
  for (const [name, found] of rows) {
    const { answers, slowestMs, slowestFailureMs, failures } = found;
    console.log(
      `${name}: ${answers} right or wrong, slowest ${Math.round(slowestMs)} ms; failed ${JSON.stringify([...failures])}, slowest ${Math.round(slowestFailureMs)} ms`,
    );
    for (const problem of found.wrong.slice(0, 3)) console.log(`  wrong: ${problem}`);
  }
  const sum = (count: (found: Findings) => number) =>
    rows.reduce((total, [, found]) => total + count(found), 0);
  console.log(
    `${sum(({ answers }) => answers)} answers: ${sum(({ wrong }) => wrong.length)} wrong, ${sum(({ mixedPages }) => mixedPages)} mixed, ${sum(({ shortExports }) => shortExports)} short exports`,
  );
  console.log(`${publications} publications, ${failedPublications} failed`);
  console.log(`${databaseChecks} checks of the database, faults: ${JSON.stringify(checkFaults)}`);
}
