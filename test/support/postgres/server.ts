import { freePort } from '../free-port.ts';
import { makeCluster } from './cluster.ts';
import { ask, databasesAt } from './databases.ts';
import { type Postmaster, postmasterIn } from './postmaster.ts';
import { copyForStandby, streaming } from './standby.ts';
import { type KeptFolder, keptFolder } from './temp-folder.ts';
import type { PostgresOptions, PostgresServer } from './types.ts';

/** Starts a server of one's own, empty, on a free port of this machine. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const folder = keptFolder();
  try {
    await makeCluster(folder, options.settings ?? {});
    return await serverIn(folder);
  } catch (cause) {
    await folder.remove();
    throw cause;
  }
}

async function serverIn(folder: KeptFolder): Promise<PostgresServer> {
  const port = freePort();
  const postmaster = postmasterIn(folder, port);
  await postmaster.start();
  return serverOf(folder, port, postmaster);
}

function serverOf(folder: KeptFolder, port: number, postmaster: Postmaster): PostgresServer {
  const databases = databasesAt(`postgres://postgres@127.0.0.1:${port}/postgres`);
  const own = databases.url();
  return {
    ...databases,
    port,
    get pid() {
      return postmaster.pid;
    },
    standby: () => standbyOf(folder, own),
    async promote() {
      const [row] = await ask(own, 'SELECT pg_promote() AS done');
      if (!row?.done) throw new Error(`the standby on port ${port} was not promoted`);
    },
    async pauseReplay() {
      await ask(own, 'SELECT pg_wal_replay_pause()');
      while (!(await isReplayPaused(own))) await Bun.sleep(10);
    },
    async resumeReplay() {
      await ask(own, 'SELECT pg_wal_replay_resume()');
    },
    pause: postmaster.pause,
    resume: async () => postmaster.resume(),
    kill: postmaster.kill,
    async restart() {
      await postmaster.shutDown();
      await postmaster.start();
    },
    async stop() {
      await postmaster.kill();
      await folder.remove();
    },
  };
}

async function standbyOf(primary: KeptFolder, url: string): Promise<PostgresServer> {
  const folder = keptFolder();
  try {
    await copyForStandby(primary, url, folder);
    const server = await serverIn(folder);
    await streaming(server.url());
    return server;
  } catch (cause) {
    await folder.remove();
    throw cause;
  }
}

async function isReplayPaused(url: string): Promise<boolean> {
  const [row] = await ask(url, 'SELECT pg_get_wal_replay_pause_state() AS state');
  return row?.state === 'paused';
}
