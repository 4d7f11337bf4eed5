import type { TenorServer } from './run-tenor.ts';

interface LogLine {
  readonly event: string;
  readonly [detail: string]: unknown;
}

/** The complete lines that were logged so far. */
export function readLog(server: TenorServer, event?: string): LogLine[] {
  const lines = server.err().split('\n').slice(0, -1);
  const all = lines.map((line): LogLine => JSON.parse(line));
  return event === undefined ? all : all.filter((logged) => logged.event === event);
}

/** The ids of all worker processes ever started. */
export function findStartedWorkers(server: TenorServer): number[] {
  return readLog(server, 'worker.started').map(({ pid }) => Number(pid));
}

/** The ids of the worker processes that run, by the log. */
export function findLiveWorkers(server: TenorServer): number[] {
  const dead = new Set(readLog(server, 'worker.died').map(({ pid }) => pid));
  return findStartedWorkers(server).filter((pid) => !dead.has(pid));
}
