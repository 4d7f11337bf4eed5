import { readFileSync } from 'node:fs';
import type { EmitEvent } from '../../event-log.ts';
import { countOpenFiles } from '../../shared/open-files.ts';
import type { ListenSocket } from './listen-socket.ts';

const POLL_INTERVAL_MS = 100;
const REPORT_INTERVAL_MS = 60_000;
/** For the database and for connections that come between two polls. */
const MAX_RESERVED_FILES = 1_024;
/** Accepting starts again when less than so much of the limit is in use. */
const RESUME_AT = 0.95;
/** Listing thousands of descriptors takes milliseconds. */
const RECOUNT_INTERVAL_MS = 500;

/**
 * Keeps the number of open connections near the limit, and that of file descriptors below what the
 * system allows, by pausing the socket. Bun tells of neither, so open descriptors are counted, and
 * near the limit those of connections. Returns what ends it.
 */
export function startConnectionLimit(
  listenSocket: ListenSocket,
  maxConnections: number,
  emit: EmitEvent,
): () => void {
  const fileLimit = readFileLimit();
  const usableFiles = Math.floor(fileLimit - Math.min(MAX_RESERVED_FILES, fileLimit / 4));
  const report = createReporter(emit, fileLimit);
  // Those of the database and the threads, which open and close some after the start.
  let ownFiles = countOpenFiles() ?? Number.POSITIVE_INFINITY;
  let recountedMs = Number.NEGATIVE_INFINITY;
  let isPaused = false;
  const getLimit = () => Math.max(1, Math.min(maxConnections, usableFiles - ownFiles));
  const isFull = (openFiles: number) =>
    openFiles - ownFiles >= getLimit() * (isPaused ? RESUME_AT : 1);
  /** Before each pause, and now and then during it. */
  const recountOwnFiles = (openFiles: number) => {
    const nowMs = performance.now();
    if (isPaused && nowMs - recountedMs < RECOUNT_INTERVAL_MS) return;
    recountedMs = nowMs;
    const connections = listenSocket.countConnections();
    if (connections !== undefined && Number.isFinite(openFiles)) ownFiles = openFiles - connections;
  };
  const timer = setInterval(() => {
    const openFiles = countOpenFiles() ?? Number.POSITIVE_INFINITY;
    ownFiles = Math.min(ownFiles, openFiles);
    if (isFull(openFiles)) recountOwnFiles(openFiles);
    const isPausing = isFull(openFiles);
    if (isPausing && !isPaused) {
      listenSocket.pause();
      report(openFiles - ownFiles, getLimit());
    } else if (isPaused && !isPausing) listenSocket.resume();
    isPaused = isPausing;
    // Bun would try to accept them again and again.
    if (openFiles >= fileLimit) listenSocket.closeWaiting();
  }, POLL_INTERVAL_MS).unref();
  return () => clearInterval(timer);
}

function createReporter(emit: EmitEvent, fileLimit: number) {
  let reportedMs = Number.NEGATIVE_INFINITY;
  return (connections: number, limit: number) => {
    const nowMs = performance.now();
    if (nowMs - reportedMs < REPORT_INTERVAL_MS) return;
    reportedMs = nowMs;
    emit({ event: 'connections.full', connections, limit, fileLimit });
  };
}

/** Infinite where there is none, or where the system does not tell. */
function readFileLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
