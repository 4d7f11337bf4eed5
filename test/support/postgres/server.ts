import { findFreePort } from '../free-port.ts';
import { createCluster } from './cluster.ts';
import { createDatabaseManager, runSql } from './databases.ts';
import { createPostmaster, type Postmaster } from './postmaster.ts';
import { copyForStandby, waitUntilStreaming } from './standby.ts';
import { createServerFolder, type ServerFolder } from './temp-folder.ts';
import type { PostgresOptions, PostgresServer } from './types.ts';

/** Starts a server of one's own, empty, on a free port of this machine. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const folder = createServerFolder();
  try {
    await createCluster(folder, options.settings ?? {});
    return await startServerIn(folder);
  } catch (cause) {
    await folder.remove();
    throw cause;
  }
}

async function startServerIn(folder: ServerFolder): Promise<PostgresServer> {
  const port = findFreePort();
  const postmaster = createPostmaster(folder, port);
  await postmaster.start();
  return createServer(folder, port, postmaster);
}

function createServer(folder: ServerFolder, port: number, postmaster: Postmaster): PostgresServer {
  const databases = createDatabaseManager(`postgres://postgres@127.0.0.1:${port}/postgres`);
  const own = databases.url();
  return {
    ...databases,
    port,
    get pid() {
      return postmaster.pid;
    },
    standby: () => startStandby(folder, own),
    async promote() {
      const [row] = await runSql(own, 'SELECT pg_promote() AS done');
      if (!row?.done) throw new Error(`the standby on port ${port} was not promoted`);
    },
    async pauseReplay() {
      await runSql(own, 'SELECT pg_wal_replay_pause()');
      while (!(await isReplayPaused(own))) await Bun.sleep(10);
    },
    async resumeReplay() {
      await runSql(own, 'SELECT pg_wal_replay_resume()');
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

async function startStandby(primary: ServerFolder, url: string): Promise<PostgresServer> {
  const folder = createServerFolder();
  try {
    await copyForStandby(primary, url, folder);
    const server = await startServerIn(folder);
    await waitUntilStreaming(server.url());
    return server;
  } catch (cause) {
    await folder.remove();
    throw cause;
  }
}

async function isReplayPaused(url: string): Promise<boolean> {
  const [row] = await runSql(url, 'SELECT pg_get_wal_replay_pause_state() AS state');
  return row?.state === 'paused';
}
