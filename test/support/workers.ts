import { afterEach, beforeEach } from 'bun:test';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { RawReply } from './raw-http.ts';
import { rawGet } from './raw-http.ts';
import { type Serving, serving } from './run-tenor.ts';
import { tempFolder } from './store.ts';

/** The operator's token of the servers that are started here. */
export const TOKEN = 'test-token';

/** Several processes cannot share a port elsewhere. */
export const isLinux = process.platform === 'linux';

/** A folder for each test of a file, and servers that end with it. */
export function servingAfterEach() {
  let folder: string;
  let servers: Serving[] = [];
  beforeEach(() => {
    folder = tempFolder();
  });
  afterEach(async () => {
    await Promise.all(servers.map((server) => server.stop('SIGKILL')));
    await Promise.all(servers.flatMap(startedWorkers).map(gone));
    servers = [];
    rmSync(folder, { recursive: true });
  });
  const settings = (more: Record<string, string> = {}) => ({
    DATABASE_URL: `sqlite:${join(folder, 'x.db')}`,
    API_TOKEN: TOKEN,
    SAMPLE_DATA: 'off',
    WORKERS: '2',
    ...more,
  });
  return {
    settings,
    file: (name: string) => join(folder, name),
    async start(more: Record<string, string> = {}): Promise<Serving> {
      const server = await serving(settings(more));
      servers.push(server);
      // The log is held back for a moment.
      while (startedWorkers(server).length < 2) await Bun.sleep(10);
      return server;
    },
  };
}

/** Asks over a connection of its own, so that any of the processes may answer. */
export function askAnew(
  { address }: Pick<Serving, 'address'>,
  target: string,
  token = TOKEN,
): Promise<RawReply> {
  return rawGet(address, target, `Authorization: Bearer ${token}`);
}

/** Asks so often that it would take a wonder for a process to be left out. */
export function askAll(server: Serving, target: string, token?: string): Promise<RawReply[]> {
  return Promise.all(Array.from({ length: 40 }, () => askAnew(server, target, token)));
}

/** What tells the process that answered from the others. */
export function processOf({ headers }: Pick<RawReply, 'headers'>): string {
  return headers.get('x-request-id')?.split('-')[0] ?? '';
}

interface Logged {
  readonly event: string;
  readonly [detail: string]: unknown;
}

/** Everything that was logged so far; a line that is not whole does not pass. */
export function loggedBy(server: Serving, event?: string): Logged[] {
  const lines = server.err().split('\n').slice(0, -1);
  const all = lines.map((line): Logged => JSON.parse(line));
  return event === undefined ? all : all.filter((logged) => logged.event === event);
}

/** The ids of all processes that ever served. */
export function startedWorkers(server: Serving): number[] {
  return loggedBy(server, 'worker.started').map(({ pid }) => Number(pid));
}

/** The ids of the processes that serve now, as far as the log tells. */
export function liveWorkers(server: Serving): number[] {
  const dead = new Set(loggedBy(server, 'worker.died').map(({ pid }) => pid));
  return startedWorkers(server).filter((pid) => !dead.has(pid));
}

/** Waits for the end of a process that is not this one's child. */
export async function gone(pid: number): Promise<void> {
  while (isAlive(pid)) await Bun.sleep(20);
}

/** Whether a process runs; one that has ended and was not asked for its status does not. */
export function isAlive(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`).length > 0;
  } catch {
    return false;
  }
}
