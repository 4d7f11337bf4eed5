import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runSql, withConnection } from './databases.ts';
import { runAsOwner, writeOwned } from './run-as-owner.ts';
import type { ServerFolder } from './temp-folder.ts';

/** What a standby must not copy; the folders must exist. */
const EXCLUDED_FILES = ['postmaster.pid', 'postmaster.opts'];
const EXCLUDED_FOLDERS = ['pg_wal', 'pg_replslot', 'pg_dynshmem', 'pg_notify', 'pg_subtrans'];

/** Copies the data of a running primary for a standby. */
export async function copyForStandby(
  primary: ServerFolder,
  url: string,
  standby: ServerFolder,
): Promise<void> {
  const from = join(primary.path, 'data');
  const to = join(standby.path, 'data');
  const slot = `standby_${crypto.randomUUID().replaceAll('-', '')}`;
  // The slot keeps the WAL until the standby has it, however long it is paused.
  await runSql(url, `SELECT pg_create_physical_replication_slot('${slot}', true)`);
  const { label, tablespaces } = await withConnection(url, async (sql) => {
    await sql`SELECT pg_backup_start('standby', fast => true)`;
    await copyData(standby.path, from, to);
    const [row] = await sql`
      SELECT labelfile AS label, spcmapfile AS tablespaces
      FROM pg_backup_stop(wait_for_archive => false)`;
    return row;
  });
  writeOwned(join(to, 'backup_label'), label);
  if (tablespaces) writeOwned(join(to, 'tablespace_map'), tablespaces);
  writeOwned(join(to, 'standby.signal'), '');
  const { hostname, port, username } = new URL(url);
  const settings = [
    `primary_conninfo = 'host=${hostname} port=${port} user=${username}'\n`,
    `primary_slot_name = '${slot}'\n`,
  ];
  writeOwned(join(to, 'postgresql.auto.conf'), settings.join(''));
}

/** Waits until a standby receives from its primary. */
export async function waitUntilStreaming(url: string): Promise<void> {
  const deadline = performance.now() + 30_000;
  for (;;) {
    const [row] = await runSql(url, 'SELECT status FROM pg_stat_wal_receiver');
    if (row?.status === 'streaming') return;
    if (performance.now() > deadline) throw new Error('the standby does not reach its primary');
    await Bun.sleep(10);
  }
}

async function copyData(cwd: string, from: string, to: string): Promise<void> {
  await runAsOwner(cwd, 'mkdir', [
    '-m',
    '700',
    to,
    ...EXCLUDED_FOLDERS.map((name) => join(to, name)),
  ]);
  const copied = readdirSync(from).filter(
    (name) => !EXCLUDED_FILES.includes(name) && !EXCLUDED_FOLDERS.includes(name),
  );
  await runAsOwner(cwd, 'cp', ['-R', ...copied.map((name) => join(from, name)), to]);
}
