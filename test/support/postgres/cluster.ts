import { join } from 'node:path';
import { getRunnableBinaries } from './binaries.ts';
import { runAsOwner, writeOwned } from './run-as-owner.ts';
import { createServerFolder, type ServerFolder } from './temp-folder.ts';

/** Creates the data of a new server in a folder. */
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
  // Data must survive a crash of the process, not of the machine.
  fsync: 'off',
  full_page_writes: 'off',
  // Shared memory in the data folder is removed with it, however the server exited.
  dynamic_shared_memory_type: 'mmap',
  wal_level: 'replica',
  max_wal_senders: '10',
  hot_standby: 'on',
  // UTC+14, so that no test passes only in UTC.
  timezone: 'Pacific/Kiritimati',
};

let initialized: Promise<ServerFolder> | undefined;

/** The data of initdb, which takes longer to create than to copy. */
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
    // The same order on every system, whatever its locales.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--no-sync',
    '--no-instructions',
  ]);
  return folder;
}
