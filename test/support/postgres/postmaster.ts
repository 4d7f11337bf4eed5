import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getRunnableBinaries } from './binaries.ts';
import { findChildren, freeze, isRunning, launch, signal, thaw } from './process.ts';
import type { ServerFolder } from './temp-folder.ts';

/** The main process of a server. */
export interface Postmaster {
  readonly pid: number;
  /** Starts it on its port, and waits until it accepts connections. */
  start(): Promise<void>;
  pause(): Promise<void>;
  resume(): void;
  /** Ends it and all its children at once. */
  kill(): Promise<void>;
  /** Shuts it down normally. */
  shutDown(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;

/** A postmaster for the data in a folder. It is not started yet. */
export function createPostmaster(
  folder: ServerFolder,
  port: number,
  getBinaries = getRunnableBinaries,
): Postmaster {
  let lastPid: number | undefined;
  const findPid = () => (lastPid !== undefined && isRunning(lastPid) ? lastPid : undefined);
  const getRunningPid = () => {
    const pid = findPid();
    if (pid === undefined) throw new Error(`the server on port ${port} is not running`);
    return pid;
  };
  const waitForExit = async () => {
    while (findPid()) await Bun.sleep(5);
    folder.setServerPid(undefined);
  };
  return {
    get pid() {
      return getRunningPid();
    },
    async start() {
      const data = join(folder.path, 'data');
      const args = ['-D', data, '-p', String(port)];
      lastPid = launch(folder.path, join(getBinaries(), 'postgres'), args);
      folder.setServerPid(lastPid);
      await waitUntilReady(lastPid, folder);
    },
    pause: () => freeze(getRunningPid()),
    resume: () => thaw(getRunningPid()),
    async kill() {
      const pid = findPid();
      if (pid === undefined) return;
      await freeze(pid);
      for (const child of findChildren(pid)) signal(child, 'SIGKILL');
      // A postmaster that is itself killed by SIGKILL leaves shared memory behind for good.
      signal(pid, 'SIGQUIT');
      signal(pid, 'SIGCONT');
      await waitForExit();
    },
    async shutDown() {
      const pid = findPid();
      if (pid === undefined) return;
      thaw(pid);
      signal(pid, 'SIGINT');
      await waitForExit();
    },
  };
}

async function waitUntilReady(pid: number, folder: ServerFolder): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (!isReady(pid, folder)) {
    if (!isRunning(pid) || performance.now() > deadline) {
      const log = readFileSync(join(folder.path, 'log'), 'utf8').slice(-4_000);
      throw new Error(`PostgreSQL did not start. Its log:\n${log}`);
    }
    await Bun.sleep(5);
  }
}

/** Lines 1 and 8 of its lock file are process id and state; an old file may be left. */
function isReady(pid: number, folder: ServerFolder): boolean {
  try {
    const lines = readFileSync(join(folder.path, 'data/postmaster.pid'), 'utf8').split('\n');
    return lines[0] === String(pid) && lines[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}
