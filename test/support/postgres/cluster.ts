import { join } from 'node:path';
import { getRunnableBinaries } from './binaries.ts';
import { runAsOwner, writeOwned } from './run-as-owner.ts';
import { createServerFolder, type ServerFolder } from './temp-folder.ts';

/** Makes the data of a new server in a folder. */
export async function createCluster(
  folder: ServerFolder,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const data = join(folder.path, 'data');
  await runAsOwner(folder.path, 'cp', [
    '-R',
    join((await getInitializedFolder()).path, 'data'),
    data,
  ]);
  const lines = Object.entries({ ...SETTINGS, ...settings }).map(
    ([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`,
  );
  writeOwned(join(data, 'postgresql.conf'), lines.join(''));
}

const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '64MB',
  // What is written need not outlive the machine, only the process: commits still wait for that.
  fsync: 'off',
  full_page_writes: 'off',
  // Shared memory that lies in the data folder goes with it, however the server ended.
  dynamic_shared_memory_type: 'mmap',
  wal_level: 'replica',
  max_wal_senders: '10',
  hot_standby: 'on',
  // Fourteen hours ahead, so that no test passes only because here is UTC.
  timezone: 'Pacific/Kiritimati',
};

let initialized: Promise<ServerFolder> | undefined;

/** Data that no server has run on yet: made once, since making it takes longer than copying. */
function getInitializedFolder(): Promise<ServerFolder> {
  initialized ??= runInitdb();
  initialized.catch(() => {
    initialized = undefined;
  });
  return initialized;
}

async function runInitdb(): Promise<ServerFolder> {
  const folder = createServerFolder();
  await runAsOwner(folder.path, join(getRunnableBinaries(), 'initdb'), [
    `--pgdata=${join(folder.path, 'data')}`,
    '--username=postgres',
    '--auth=trust',
    '--encoding=UTF8',
    // Of PostgreSQL itself: the same order on every system, whatever locales that has.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--no-sync',
    '--no-instructions',
  ]);
  return folder;
}
