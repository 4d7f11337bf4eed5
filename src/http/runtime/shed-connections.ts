import type { EmitEvent, LogEvent } from '../../event-log.ts';
import { countOpenFiles, readFileLimit } from '../../shared/open-files.ts';
import type { ReplaceableListener } from './replaceable-listener.ts';

const POLL_INTERVAL_MS = 100;
const REPORT_INTERVAL_MS = 60_000;
/** Of the files that the system allows; the others are for the database and for bursts. */
const FULL_AT = 0.9;
const REOPEN_AT = 0.75;
/** By then Bun has closed the connections that have sent nothing, which it does after 12 s. */
const MAX_CLOSED_MS = 15_000;

/**
 * Frees file descriptors before none is left, since Bun would try to accept without a pause, which
 * takes a whole core: closes idle connections and, where that is not enough, the port until there
 * is room again. Returns what ends it; does nothing where the system tells no limit.
 */
export function startSheddingConnections(
  listener: Pick<ReplaceableListener, 'isClosed' | 'closeIdleConnections' | 'close' | 'reopen'>,
  emit: EmitEvent,
): () => void {
  const fileLimit = readFileLimit();
  const report = limitReports(emit);
  let closedMs = 0;
  // Where they cannot be counted, no descriptor is left to count them with.
  const countFiles = () => countOpenFiles() ?? fileLimit;
  const shed = (openFiles: number) => {
    report({ event: 'connections.full', openFiles, fileLimit });
    listener.closeIdleConnections();
    if (countFiles() < fileLimit * FULL_AT) return;
    listener.close();
    closedMs = performance.now();
  };
  const reopen = () => {
    try {
      listener.reopen();
    } catch (cause) {
      report({ event: 'listen.failed', cause: String(cause) });
    }
  };
  const poll = () => {
    const openFiles = countFiles();
    if (!listener.isClosed) {
      if (openFiles >= fileLimit * FULL_AT) shed(openFiles);
    } else if (openFiles < fileLimit * REOPEN_AT || performance.now() - closedMs > MAX_CLOSED_MS)
      reopen();
  };
  const timer = Number.isFinite(fileLimit)
    ? setInterval(poll, POLL_INTERVAL_MS).unref()
    : undefined;
  return () => clearInterval(timer);
}

/** Emits each kind of event once in a while. */
function limitReports(emit: EmitEvent): EmitEvent {
  const reportedMs = new Map<LogEvent['event'], number>();
  return (event) => {
    const nowMs = performance.now();
    if (nowMs - (reportedMs.get(event.event) ?? Number.NEGATIVE_INFINITY) < REPORT_INTERVAL_MS)
      return;
    reportedMs.set(event.event, nowMs);
    emit(event);
  };
}
