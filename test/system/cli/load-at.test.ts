import { describe, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StoreBusyError } from '../../../src/store/open-store.ts';
import {
  createPublishingWorkspace,
  formatYears,
  HEADER,
  ONLINE,
} from '../../cli/publishing-workspace.ts';
import { dumpTables } from '../../support/dump-tables.ts';
import { retryUntil } from '../../support/eventually.ts';
import { COMMAND, spawnTenor } from '../../support/run-tenor.ts';
import { CTRL_C, describeEnd, IN_ORDER, openTerminal } from '../../support/terminal.ts';

const { workspace, run, load, publish, readJson, writeFile, writeYears, open } =
  createPublishingWorkspace();

const CLOCK = join(import.meta.dirname, '../../support/clock-from-file.ts');
const NOW_MS = Date.now();
/** Longer than any timer can be set to. */
const AT_MS = NOW_MS + 40 * 86_400_000;
const AT = new Date(AT_MS).toISOString();
const IN_STAGING_MS = AT_MS - 500;
const FAILED = `tenor: the checked data could not be published at ${AT}:\n`;

const LOCK_WAIT_NOTE = 'tenor: waiting for another publisher to finish\n';

/** Starts a load for the instant on a clock that the test sets. */
function startRelease(...args: string[]) {
  const clock = writeFile(`clock-${crypto.randomUUID()}`, String(NOW_MS));
  const temporary = join(workspace.folder, 'temporary');
  mkdirSync(temporary, { recursive: true });
  const env = { ...workspace.env, CLOCK_FILE: clock, TMPDIR: temporary };
  const command = [...COMMAND.slice(0, -1), '--preload', CLOCK, ...COMMAND.slice(-1)];
  const child = spawnTenor(['load', ONLINE, ...args, '--at', AT], env, 'pipe', { command });
  let out = '';
  const ended = (async () => {
    for await (const chunk of child.stdout) out += Buffer.from(chunk).toString();
    const err = await new Response(child.stderr).text();
    // Two loads, or one and the test, may want the lock at once.
    return { status: await child.exited, out, err: err.replace(LOCK_WAIT_NOTE, '') };
  })();
  return {
    ended,
    setClock: (ms: number) => writeFileSync(clock, String(ms)),
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    isWaiting: () => retryUntil(20_000, async () => expect(out).toContain('To be published at')),
    findTemporaryFiles: () => readdirSync(temporary),
  };
}

const writeAdapter = () =>
  writeFile(
    'adapter.ts',
    `const FIELDS = ${JSON.stringify(HEADER.split(','))};
    export default async function* (file) {
      for await (const row of file.table(['year']))
        yield Object.fromEntries(FIELDS.map((name) => [name, row.get(name)]));
    }`,
  );

/** Waits until a load holds the write lock. */
const isStaging = () =>
  retryUntil(20_000, async () => {
    const publisher = (await open()).publisher({ waitMs: 0 });
    const attempt = publisher.transaction(async (transaction) => transaction.abandon());
    expect(await attempt.catch((cause) => cause).finally(() => publisher.close())).toBeInstanceOf(
      StoreBusyError,
    );
  });

describe('tenor load --at', () => {
  test.each([
    '2099-06-30',
    '2099-06-30T09:00:00',
    '2099-02-29T09:00:00Z',
    '2020-06-30T09:00:00Z',
    'tomorrow',
    '',
  ])('rejects %p, which is no instant ahead', async (instant) => {
    const result = await load(writeYears('a.csv', { 2024: 5 }), '--at', instant);
    expect(result).toMatchObject({ status: 2, out: '' });
    expect(result.err).toMatch(
      /^tenor: --at must be an instant after now \(20\S*Z\), with Z or an offset, such as \S+\n$/,
    );
  });

  test('with --dry-run only says when it would publish, and cannot create a database', async () => {
    const path = writeYears('a.csv', { 2024: 5 });
    expect(await load(path, '--at', AT, '--dry-run')).toEqual({
      status: 0,
      out: `Read 1 record.\nDry run, nothing published. Would be: 1 added, 0 corrected, 0 retired, 0 unchanged.\nIt would be published at ${AT}.\n`,
      err: '',
    });
    const { out } = await load(path, '--at', AT, '--dry-run', '--json');
    expect(JSON.parse(out)).toMatchObject({ dryRun: true, at: AT, revision: null });
    expect(await load(path, '--at', AT, '--create')).toMatchObject({ status: 2 });
  });

  test('does not wait if nothing can be published', async () => {
    const path = writeYears('a.csv', { 2024: 5 });
    await publish(path);
    const unchanged = await load(path, '--at', AT);
    expect(unchanged).toMatchObject({ status: 0, err: '' });
    expect(unchanged.out).toContain('Nothing published: the data is unchanged');
    expect(await load(writeFile('b.csv', `${HEADER}\n`), '--at', AT)).toMatchObject({ status: 4 });
    expect(await load(writeFile('c.csv', `${HEADER}\nX\n`), '--at', AT)).toMatchObject({
      status: 1,
    });
  });

  test('waits 40 days without a lock, and publishes at the instant', async () => {
    const path = writeYears('a.csv', { 2024: 5 });
    const release = startRelease(path);
    await release.isWaiting();
    await publish(writeYears('b.csv', { 2023: 5 }));
    // The clock may be set, and the file written again as it was.
    for (const ms of [AT_MS - 2_000, NOW_MS - 3_600_000, IN_STAGING_MS]) release.setClock(ms);
    writeYears('a.csv', { 2024: 5 });
    const before = await dumpTables(workspace.env.DATABASE_URL ?? '');
    await isStaging();
    expect(await dumpTables(workspace.env.DATABASE_URL ?? '')).toEqual(before);
    release.setClock(AT_MS);
    expect(await release.ended).toEqual({
      status: 0,
      out: [
        'Read 1 record.',
        `To be published at ${AT}: 1 added, 0 corrected, 0 retired, 0 unchanged.`,
        'Published revision 2: 1 added, 0 corrected, 0 retired, 0 unchanged.',
        `Published at ${AT}.`,
        '',
      ].join('\n'),
      err: '',
    });
  });

  test('waits also if records are retired, and nothing else is published', async () => {
    await publish(writeYears('a.csv', { 2023: 5, 2024: 6 }));
    const at = new Date(Date.now() + 1_500).toISOString();
    const replacement = writeYears('b.csv', { 2024: 6 });
    const options = ['--replace', '--retire-many', '--at', at];
    expect(await load(replacement, ...options)).toMatchObject({
      status: 0,
      out: expect.stringContaining('Published revision 2: 0 added, 0 corrected, 1 retired'),
    });
    const [{ publishedAt }] = await readJson('revisions');
    expect(publishedAt >= at).toBe(true);
  });

  test('accepts periods that have begun by then, and dates funds by it', async () => {
    const at = ['--at', '2099-06-30T09:00:00Z', '--dry-run'];
    expect(await load(writeYears('a.csv', { 2099: 5 }), ...at)).toMatchObject({ status: 0 });
    expect(await load(writeYears('a.csv', { 2101: 5 }), ...at)).toMatchObject({ status: 3 });
    const fund = writeFile('f.csv', 'fund_id,period,class,value\nF1,Jan 2024,Equity,100\n');
    const soon = new Date(Date.now() + 1_000).toISOString();
    await run('load', 'fund-allocation', fund, '--set', 'frequency=monthly', '--at', soon);
    const { out } = await run('export', 'fund-allocation', '--format', 'ndjson');
    expect(JSON.parse(out)).toMatchObject({ created: soon, modified: soon });
  });

  test('runs an adapter once, and gives one result as JSON', async () => {
    const file = writeYears('a.csv', { 2024: 5 });
    const release = startRelease(file, '--json', '--adapter', writeAdapter());
    release.setClock(AT_MS - 1);
    await isStaging();
    release.setClock(AT_MS);
    const { status, out, err } = await release.ended;
    expect({ status, err }).toEqual({ status: 0, err: '' });
    const revision = { revision: 1, publishedAt: AT };
    expect(JSON.parse(out)).toMatchObject({ status: 'published', at: AT, revision });
  });

  test('publishes two loads for the same instant, one after the other', async () => {
    const releases = [
      startRelease(writeYears('a.csv', { 2023: 5 })),
      startRelease(writeYears('b.csv', { 2024: 5 })),
    ];
    for (const { isWaiting } of releases) await isWaiting();
    for (const { setClock } of releases) setClock(IN_STAGING_MS);
    await isStaging();
    for (const { setClock } of releases) setClock(AT_MS);
    for (const { ended } of releases) expect(await ended).toMatchObject({ status: 0 });
    const instants = (await readJson('revisions')).map(
      ({ publishedAt }: { publishedAt: string }) => publishedAt,
    );
    expect(instants).toEqual([new Date(AT_MS + 1).toISOString(), AT]);
  });

  test.each([
    ['the same data', { 2024: 5 }, 0, '', 'Nothing published: the data is unchanged'],
    ['data that a guard compares it with', { FY24: 5 }, 3, FAILED, ''],
  ])('checks again after a load of %s', async (_, years, status, err, out) => {
    const release = startRelease(writeYears('a.csv', { 2024: 5 }));
    await release.isWaiting();
    await publish(writeYears('b.csv', years as Record<string, number>));
    release.setClock(AT_MS);
    const result = await release.ended;
    expect(result).toMatchObject({ status, out: expect.stringContaining(out) });
    expect(result.err).toStartWith(err);
    expect(await readJson('revisions')).toHaveLength(1);
  });

  test('rejects a file that has changed since it was checked, and a database that is gone', async () => {
    const changed = startRelease(writeYears('a.csv', { 2024: 5 }));
    const moved = startRelease(writeYears('b.csv', { 2024: 5 }));
    await Promise.all([changed.isWaiting(), moved.isWaiting()]);
    writeYears('a.csv', { 2024: 6 });
    changed.setClock(AT_MS);
    expect(await changed.ended).toMatchObject({
      status: 1,
      err: `${FAILED}tenor: a.csv has changed since it was checked\n`,
    });
    renameSync(join(workspace.folder, 'x.db'), join(workspace.folder, 'y.db'));
    moved.setClock(AT_MS);
    const { status, err } = await moved.ended;
    expect(status).toBe(1);
    expect(err).toStartWith(`${FAILED}tenor: there is no database at `);
  });

  test.each([
    ['SIGINT', 130, NOW_MS, () => {}],
    ['SIGHUP', 129, NOW_MS, () => {}],
    ['SIGTERM', 143, IN_STAGING_MS, isStaging],
    ['SIGINT', 130, IN_STAGING_MS, isStaging],
  ] as const)(
    'that is ended by %s (status %d) leaves nothing',
    async (signal, status, ms, ready) => {
      const before = await dumpTables(workspace.env.DATABASE_URL ?? '');
      const release = startRelease(writeYears('a.csv', { 2024: 5 }), '--adapter', writeAdapter());
      await release.isWaiting();
      expect(release.findTemporaryFiles()).toHaveLength(1);
      release.setClock(ms);
      await ready();
      release.kill(signal);
      expect(await release.ended).toMatchObject({
        status,
        err: 'tenor: interrupted; nothing was published\n',
      });
      expect(release.findTemporaryFiles()).toEqual([]);
      expect(await dumpTables(workspace.env.DATABASE_URL ?? '')).toEqual(before);
      expect(
        await run('load', ONLINE, writeYears('b.csv', { 2024: 7 }), '--wait', '0s'),
      ).toMatchObject({ status: 0, out: expect.stringContaining('Published revision 1') });
    },
  );

  test('reads standard input once, and shows the time that is left on a terminal', async () => {
    const shell = `printf '${formatYears({ 2024: 5 }).replaceAll('\n', '\\n')}' | "$@"`;
    const at = new Date(Date.now() + 3 * 86_400_000 + 7_200_000).toISOString();
    const args = ['load', ONLINE, '-', '--at', at];
    using terminal = openTerminal(args, { env: workspace.env, shell });
    const line = `publishing at ${at}, in 3 d 01:59:`;
    await terminal.waitFor(line);
    await Bun.sleep(1_100);
    terminal.press(CTRL_C);
    const { status, screen } = await terminal.wait();
    expect({ status, ...describeEnd(screen) }).toEqual({ status: 130, ...IN_ORDER });
    expect(screen.split(line).length).toBeGreaterThan(2);
    expect(screen).toEndWith('\r\u001b[K\r\ntenor: interrupted; nothing was published\r\n');
  });
});
