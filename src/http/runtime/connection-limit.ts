import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { EmitEvent } from '../../event-log.ts';
import type { ListenSocket } from './listen-socket.ts';

const POLL_INTERVAL_MS = 100;
const REPORT_INTERVAL_MS = 60_000;
/** For the database and for connections that come between two polls. */
const MAX_RESERVED_FILES = 1_024;
/** Accepting starts again when so much of the limit is in use. */
const RESUME_AT = 0.95;

/**
 * Keeps the number of open connections near the limit, and that of file descriptors below what the
 * system allows, by pausing the socket. Bun tells of neither, so open descriptors are counted.
 * Returns what ends it.
 */
export function startConnectionLimit(
  listenSocket: ListenSocket,
  maxConnections: number,
  emit: EmitEvent,
): () => void {
  // The fewest that were ever open: some are closed after the start.
  let ownFiles = countOpenFiles();
  const fileLimit = readFileLimit();
  const usableFiles = fileLimit - Math.min(MAX_RESERVED_FILES, fileLimit / 4);
  const limit = Math.max(1, Math.min(maxConnections, Math.floor(usableFiles) - ownFiles));
  let isPaused = false;
  let reportedMs = Number.NEGATIVE_INFINITY;
  const report = (connections: number) => {
    const nowMs = performance.now();
    if (nowMs - reportedMs < REPORT_INTERVAL_MS) return;
    reportedMs = nowMs;
    emit({ event: 'connections.full', connections, limit, fileLimit });
  };
  const timer = setInterval(() => {
    const openFiles = countOpenFiles();
    ownFiles = Math.min(ownFiles, openFiles);
    const connections = openFiles - ownFiles;
    if (!isPaused && connections >= limit) {
      isPaused = true;
      listenSocket.pause();
      report(connections);
    } else if (isPaused && connections <= limit * RESUME_AT) {
      isPaused = false;
      listenSocket.resume();
    }
    // Bun would try to accept them again and again.
    if (openFiles >= fileLimit) listenSocket.closeWaiting();
  }, POLL_INTERVAL_MS).unref();
  return () => clearInterval(timer);
}

const OPEN_FILES = '/proc/self/fd';

function countOpenFiles(): number {
  try {
    // Linux before 6.2 does not give the number as a size.
    return statSync(OPEN_FILES).size || readdirSync(OPEN_FILES).length;
  } catch {
    // No descriptor is left to read the list with.
    return Number.POSITIVE_INFINITY;
  }
}

function readFileLimit(): number {
  const limit = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
  return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
}
