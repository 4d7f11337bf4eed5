import { beforeEach, expect, test } from 'bun:test';
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTenor } from '../support/run-tenor.ts';
import { createPublishingWorkspace } from './publishing-workspace.ts';

const { workspace, run, load: loadFile, writeYears, publish } = createPublishingWorkspace();

let [backup, state, database] = ['', '', ''];
beforeEach(async () => {
  mkdirSync(join(workspace.folder, 'backups'));
  [backup, state, database] = ['backups/x.db', 'state.json', 'x.db'].map((name) =>
    join(workspace.folder, name),
  ) as [string, string, string];
  await publish(writeYears('a.csv', { 2023: 5 }));
  await publish(writeYears('b.csv', { 2024: 6 }));
  expect((await run('backup', backup)).status).toBe(0);
  await publish(writeYears('c.csv', { 2025: 7 }));
});

const verify = (...args: string[]) => run('verify', '--state', state, ...args);
const load = (year: number, ...args: string[]) =>
  loadFile(writeYears(`${year}.csv`, { [year]: 1 }), ...args);

/** As the documentation says: the private keys stay, and those of the backup are added. */
function restore(): void {
  for (const end of ['-wal', '-shm']) rmSync(database + end, { force: true });
  copyFileSync(backup, `${database}.restored`);
  renameSync(`${database}.restored`, database);
  const keys = [database, backup].map((path) => readFileSync(`${path}.private/ledger-key`, 'utf8'));
  writeFileSync(`${database}.private/ledger-key`, keys.join(''), { mode: 0o600 });
}

const RESTORED =
  'this database was restored with 2 revisions: if others were published since, and are lost, run tenor ledger restart first, or everyone who verifies gets an alarm';

test('a backup of before a new key is behind, publishing to it warns, and a restart names the last common revision', async () => {
  await run('ledger', 'rotate-key');
  expect((await verify()).status).toBe(0);
  restore();
  const behind = await verify();
  expect([behind.status, behind.err]).toEqual([
    5,
    expect.stringContaining('its log has 2 revisions, the same as at the last verification'),
  ]);
  const tried = await load(2026, '--dry-run');
  expect(tried.err).toContain(RESTORED);
  expect(await load(2026)).toMatchObject({
    status: 0,
    err: expect.stringContaining(RESTORED),
  });
  // It is said once.
  expect((await load(2027)).err).not.toContain('restored');
  expect((await verify()).status).toBe(1);
  expect((await run('ledger', 'restart', '--name', 'again')).out).toContain(
    'It begins after revision 2.',
  );
  expect((await verify()).err).toContain('only the first 2 revisions of the earlier one');
  expect((await verify('--accept-restart', 'again')).status).toBe(0);
  // A later restart has nothing to do with the backup.
  expect((await run('ledger', 'restart', '--name', 'third')).out).toContain(
    'It begins after revision 4.',
  );
});

test('a backup that is restored and restarted at once is published to without a warning', async () => {
  restore();
  await run('ledger', 'restart', '--name', 'again');
  expect((await load(2026)).err).not.toContain('restored');
  const copy = await runTenor(['ledger', 'restart', '--size', '1'], {
    DATABASE_URL: `sqlite:${backup}`,
  });
  expect(copy.out).toContain('It begins after revision 1.');
});

test('a database that was never restored is published to without a warning, and restarted as it is', async () => {
  expect((await load(2026)).err).not.toContain('restored');
  expect((await run('ledger', 'restart')).out).toContain('It begins after revision 4.');
});
