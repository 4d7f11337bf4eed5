// Upgrades a database that an earlier release made and serves, under load, on both engines:
// git worktree add ../earlier COMMIT, with its packages; bun bench/faults/upgrade/run-upgrade.ts ../earlier
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { findFreePort } from '../../../test/support/free-port.ts';
import { startPostgres } from '../../../test/support/postgres.ts';
import { getSourceCommand, ROOT, startTenor } from '../../server-processes.ts';

const earlier = resolve(process.argv[2] ?? '');
const CLIENTS = 4;
const SERVE_MS = 4_000;
const TARGETS = [
  '/2.0/bnb/quote?limit=100',
  '/2.0/bnb/quote?limit=100&date=2026-04-07',
  '/3.0/alternate/online-banking-annual-volume',
  '/exports/quotes.ndjson',
];

const postgres = await startPostgres();
const folder = mkdtempSync(join(tmpdir(), 'tenor-upgrade-'));
const reports = [
  await upgrade('SQLite', `sqlite:${join(folder, 'x.db')}`),
  await upgrade('PostgreSQL', await postgres.createDatabase()),
];
await postgres.stop();
rmSync(folder, { recursive: true });
for (const report of reports) console.log(JSON.stringify(report, null, 1));
process.exit(reports.every(({ problems }) => problems.length === 0) ? 0 : 1);

async function upgrade(engine: string, url: string) {
  const tenor = (root: string, ...args: string[]) => runTenor(root, url, args);
  const tokens = await fill(url);
  const before = await readExports(earlier, url);
  const port = String(findFreePort());
  const start = (root: string) =>
    startTenor(url, { PORT: port, SAMPLE_DATA: 'off' }, getSourceCommand(root));
  let server = await start(earlier);
  const load = startLoad(server.address, tokens.live);
  await Bun.sleep(SERVE_MS);
  load.phase = 'migration';
  const startedMs = performance.now();
  await tenor(ROOT, 'migrate');
  const migrateMs = Math.round(performance.now() - startedMs);
  load.phase = 'earlier release on the new schema';
  await tenor(ROOT, 'token', 'revoke', tokens.late.id);
  await Bun.sleep(SERVE_MS);
  const late = await request(server.address, TARGETS[0] ?? '', tokens.late.token);
  load.phase = 'restart';
  const stoppedMs = performance.now();
  await server.stop();
  server = await start(ROOT);
  const restartMs = Math.round(performance.now() - stoppedMs);
  load.phase = 'new release';
  await Bun.sleep(SERVE_MS);
  const problems = [...(await load.stop())];
  for (const [token, status] of [
    ...tokens.live.map((live) => [live, 200] as const),
    [tokens.revoked, 401] as const,
    [tokens.late.token, 401] as const,
  ]) {
    const actual = await request(server.address, TARGETS[0] ?? '', token).then(
      ({ status }) => status,
    );
    if (actual !== status) problems.push(`a token gets ${actual}, not ${status}`);
  }
  await server.stop();
  const after = await readExports(ROOT, url);
  for (const [name, digest] of Object.entries(before))
    if (after[name] !== digest) problems.push(`export ${name} differs`);
  const { out: checked } = await tenor(ROOT, 'check', '--json');
  const faults: unknown[] = JSON.parse(checked).faults;
  if (faults.length > 0) problems.push(...faults.map(String));
  return {
    ...{ engine, migrateMs, restartMs, statuses: load.statuses, slowestMs: load.slowestMs },
    ...{ exports: Object.keys(before).length, tokens: tokens.live.length + 2, problems },
    revokedAfterMigration: { earlierRelease: late.status, newRelease: 401 },
  };
}

/** Publishes by the earlier release: every dataset, corrections, a retirement, and tokens. */
async function fill(url: string): Promise<Tokens> {
  const run = (...args: string[]) => runTenor(earlier, url, args);
  const fixtures = join(earlier, 'test/fixtures');
  for await (const name of new Bun.Glob('*.json').scan(fixtures))
    await run('load', name.replace('.json', ''), join(fixtures, name), '--create');
  const quotes: Record<string, unknown>[] = await Bun.file(join(fixtures, 'quotes.json')).json();
  for (const volume of [7, 8, 9]) {
    const file = join(folder, 'corrected.json');
    writeFileSync(file, JSON.stringify(quotes.map((quote) => ({ ...quote, volume }))));
    await run('load', 'quotes', file);
  }
  const [first = {}] = quotes;
  await run('retire', 'quotes', `${first.date}/${first.symbol}`);
  const create = async (name: string, ...args: string[]) =>
    JSON.parse((await run('token', 'create', '--name', name, '--json', ...args)).out);
  const [all, limited, late, revoked] = [
    await create('all'),
    await create('limited', '--rate', '100000/s', '--expires', '90d'),
    await create('late'),
    await create('revoked'),
  ];
  await run('token', 'revoke', revoked.id);
  return { live: [all.token, limited.token], revoked: revoked.token, late };
}

interface Tokens {
  readonly live: string[];
  readonly revoked: string;
  /** Revoked by the new release, after the migration. */
  readonly late: { readonly id: string; readonly token: string };
}

interface Load {
  phase: string;
  /** How many responses had each status, by phase. */
  readonly statuses: Record<string, Record<string, number>>;
  slowestMs: number;
  /** Ends it; returns what was wrong. */
  stop(): Promise<string[]>;
}

/** Clients that expect the same bytes of a target and a revision, whichever release responds. */
function startLoad(address: string, tokens: readonly string[]): Load {
  const bodies = new Map<string, string>();
  const problems: string[] = [];
  let isOver = false;
  const load: Load = {
    phase: 'earlier release',
    statuses: {},
    slowestMs: 0,
    async stop() {
      isOver = true;
      await Promise.all(clients);
      return problems;
    },
  };
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let count = client; !isOver; count++) {
      const target = TARGETS[count % TARGETS.length] ?? '';
      const startedMs = performance.now();
      const { status, revision, body } = await request(
        address,
        target,
        tokens[count % tokens.length] ?? '',
      );
      const counts = load.statuses[load.phase] ?? {};
      load.statuses[load.phase] = { ...counts, [status]: (counts[status] ?? 0) + 1 };
      if (status === 200) {
        load.slowestMs = Math.max(load.slowestMs, Math.round(performance.now() - startedMs));
        const key = `${target} as of ${revision}`;
        if ((bodies.get(key) ?? body) !== body) problems.push(`${key} differs (${load.phase})`);
        bodies.set(key, body);
      }
      await Bun.sleep(5);
    }
  });
  return load;
}

async function request(address: string, target: string, token: string) {
  try {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${address}${target}`, { headers });
    const revision = response.headers.get('tenor-revision');
    return { status: response.status, revision, body: await response.text() };
  } catch {
    return { status: 'no connection', revision: null, body: '' };
  }
}

async function readExports(root: string, url: string): Promise<Record<string, string>> {
  const script = join(import.meta.dirname, 'print-exports.ts');
  return JSON.parse((await run([process.execPath, script, root, url])).out);
}

function runTenor(root: string, url: string, args: readonly string[]) {
  return run([...getSourceCommand(root), ...args], { DATABASE_URL: url });
}

async function run(command: readonly string[], env: Record<string, string> = {}) {
  const child = Bun.spawn([...command], { env: { ...process.env, ...env }, stderr: 'pipe' });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')}: ${err}`);
  return { out, err };
}
