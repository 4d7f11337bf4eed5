import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getRunnableBinaries } from './binaries.ts';
import { findChildren, freeze, isRunning, launch, signal, thaw } from './process.ts';
import type { ServerFolder } from './temp-folder.ts';

/** The one process that all others of a server come from. */
export interface Postmaster {
  readonly pid: number;
  /** Starts it on its port, and waits until it takes connections. */
  start(): Promise<void>;
  pause(): Promise<void>;
  resume(): void;
  /** Ends it and all its children at once. */
  kill(): Promise<void>;
  /** Has it end in good order. */
  shutDown(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;

/** A postmaster for the data in a folder. It is not started yet. */
export function createPostmaster(folder: ServerFolder, port: number): Postmaster {
  let last: number | undefined;
  const running = () => (last !== undefined && isRunning(last) ? last : undefined);
  const needed = () => {
    const pid = running();
    if (pid === undefined) throw new Error(`the server on port ${port} does not run`);
    return pid;
  };
  const ended = async () => {
    while (running()) await Bun.sleep(5);
    folder.setServerPid(undefined);
  };
  return {
    get pid() {
      return needed();
    },
    async start() {
      const data = join(folder.path, 'data');
      const args = ['-D', data, '-p', String(port)];
      last = launch(folder.path, join(getRunnableBinaries(), 'postgres'), args);
      folder.setServerPid(last);
      await waitUntilReady(last, folder);
    },
    pause: () => freeze(needed()),
    resume: () => thaw(needed()),
    async kill() {
      const pid = running();
      if (pid === undefined) return;
      await freeze(pid);
      for (const child of findChildren(pid)) signal(child, 'SIGKILL');
      // A postmaster that is itself killed by SIGKILL leaves shared memory behind for good.
      signal(pid, 'SIGQUIT');
      signal(pid, 'SIGCONT');
      await ended();
    },
    async shutDown() {
      const pid = running();
      if (pid === undefined) return;
      thaw(pid);
      signal(pid, 'SIGINT');
      await ended();
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

/** Lines 1 and 8 of its lock file are its process and its state; another's may be left there. */
function isReady(pid: number, folder: ServerFolder): boolean {
  try {
    const lines = readFileSync(join(folder.path, 'data/postmaster.pid'), 'utf8').split('\n');
    return lines[0] === String(pid) && lines[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}
