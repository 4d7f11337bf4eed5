import { afterEach, beforeEach } from 'bun:test';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { SocketResponse } from './raw-http.ts';
import { getRaw } from './raw-http.ts';
import { startTenorServer, type TenorServer } from './run-tenor.ts';
import { endWithThisProcess } from './spawn-child.ts';
import { createTempFolder } from './store.ts';
import { findStartedWorkers } from './worker-log.ts';

export { findLiveWorkers, findStartedWorkers, readLog } from './worker-log.ts';

export const TOKEN = 'token-for-the-tests';

/** Only on Linux can several processes share a port. */
export const isLinux = process.platform === 'linux';

/** A folder and servers for each test of a file, removed and stopped after it. */
export function useWorkerServers() {
  let folder: string;
  let servers: TenorServer[] = [];
  const releases: (() => void)[] = [];
  beforeEach(() => {
    folder = createTempFolder();
  });
  afterEach(async () => {
    await Promise.all(servers.map((server) => server.stop('SIGKILL')));
    await Promise.all(servers.flatMap(findStartedWorkers).map(waitForExit));
    for (const release of releases.splice(0)) release();
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
    async start(more: Record<string, string> = {}): Promise<TenorServer> {
      const server = await startTenorServer(settings(more));
      servers.push(server);
      // The log is written with a delay.
      while (findStartedWorkers(server).length < 2) await Bun.sleep(10);
      // A worker ends when its supervisor has, unless a test has stopped it.
      releases.push(...findStartedWorkers(server).map(endWithThisProcess));
      return server;
    },
  };
}

/** Sends a request on a new connection, which any of the processes may accept. */
export function requestOnNewConnection(
  { address }: Pick<TenorServer, 'address'>,
  target: string,
  token = TOKEN,
  ...headers: readonly string[]
): Promise<SocketResponse> {
  return getRaw(address, target, `Authorization: Bearer ${token}`, ...headers);
}

/** Sends so many requests that every process gets one. */
export function requestFromAllWorkers(
  server: TenorServer,
  target: string,
  token?: string,
): Promise<SocketResponse[]> {
  return Promise.all(
    Array.from({ length: 40 }, () => requestOnNewConnection(server, target, token)),
  );
}

/** The id of the process that sent a response. */
export function readProcessId({ headers }: Pick<SocketResponse, 'headers'>): string {
  return headers.get('x-request-id')?.split('-')[0] ?? '';
}

/** Waits for the exit of a process that is no child of this one. */
export async function waitForExit(pid: number): Promise<void> {
  while (isAlive(pid)) await Bun.sleep(20);
}

/** Whether a process runs; a zombie does not. */
export function isAlive(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`).length > 0;
  } catch {
    return false;
  }
}
