/** Everything that the service reports while it runs. */
export type LogEvent = RequestEvent | ServiceEvent;

export interface RequestEvent {
  readonly event: 'request';
  readonly requestId: string;
  /** The token's id, never the token; null where none was accepted. */
  readonly token: string | null;
  readonly method: string;
  /** The route's path; null where no route has the path that was asked for. */
  readonly route: string | null;
  readonly status: number;
  readonly bytes: number;
  readonly ms: number;
  /** The revision that the answer was made from; null where no data was read. */
  readonly revision: number | null;
}

export type ServiceEvent =
  | { readonly event: 'service.started'; readonly address: string; readonly revision: number }
  | { readonly event: 'service.stopping'; readonly signal: string }
  | { readonly event: 'service.stopped' }
  | { readonly event: 'worker.started'; readonly pid: number }
  | ({ readonly event: 'worker.died' } & WorkerExit)
  | { readonly event: 'worker.failed'; readonly cause: string }
  | { readonly event: 'revision.seen'; readonly revision: number }
  | { readonly event: 'store.lost'; readonly cause: string }
  | { readonly event: 'store.back'; readonly afterMs: number }
  | { readonly event: 'tokens.unconfirmed'; readonly cause: string }
  | {
      readonly event: 'server.found';
      readonly server: string;
      readonly condition: string;
      readonly cause?: string;
    }
  | { readonly event: 'store.unavailable'; readonly requestId?: string; readonly cause: string }
  | { readonly event: 'watch.failed'; readonly cause: string }
  | { readonly event: 'request.failed'; readonly requestId: string; readonly cause: string };

/** How one of several processes ended that should not have. */
export interface WorkerExit {
  readonly pid: number;
  /** Its exit code; null where a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
  /** Why it could not serve, where it said so. */
  readonly cause?: string;
}

export type EmitEvent = (event: LogEvent) => void;

export interface EventLog {
  readonly emit: EmitEvent;
  /** Writes out what is still held back. */
  readonly flush: () => void;
}

/** What an event log writes to: standard error, or a test's own list. */
export interface LogSink {
  readonly isTTY?: boolean;
  readonly write: (text: string) => unknown;
}

/** How long lines are held back, and how many characters of them at the most. */
const FLUSH_DELAY_MS = 10;
const MAX_BUFFERED_CHARACTERS = 131_072;

/**
 * Writes one line per event: for people on a terminal, JSON otherwise. Lines are held back for a
 * moment and go out together: a write for every request would cost more than many an answer.
 */
export function createEventLog(output: LogSink): EventLog {
  const line = output.isTTY ? formatTerminalLine : formatJsonLine;
  const now = createTimestampCache();
  let lines: string[] = [];
  let held = 0;
  const flush = () => {
    if (held === 0) return;
    const text = lines.join('');
    lines = [];
    held = 0;
    output.write(text);
  };
  return {
    emit(event) {
      if (held === 0) setTimeout(flush, FLUSH_DELAY_MS);
      const text = line(event, now());
      lines.push(text);
      held += text.length;
      if (held > MAX_BUFFERED_CHARACTERS) flush();
    },
    flush,
  };
}

/** The present as text; many events share a millisecond, and so its text. */
function createTimestampCache(): () => string {
  let ms = 0;
  let text = '';
  return () => {
    const nowMs = Date.now();
    if (nowMs !== ms) {
      ms = nowMs;
      text = new Date(nowMs).toISOString();
    }
    return text;
  };
}

function formatJsonLine(event: LogEvent, time: string): string {
  if (event.event !== 'request') return `${JSON.stringify({ time, ...event })}\n`;
  const { requestId, token, method, route, status, bytes, ms, revision } = event;
  // Nothing in these needs an escape, and this line is written for every request.
  return `{"time":"${time}","event":"request","requestId":"${requestId}","token":${quoteOrNull(token)},"method":"${method}","route":${quoteOrNull(route)},"status":${status},"bytes":${bytes},"ms":${ms},"revision":${revision}}\n`;
}

function quoteOrNull(text: string | null): string {
  return text === null ? 'null' : `"${text}"`;
}

function formatTerminalLine(event: LogEvent, time: string): string {
  const clock = time.slice(11, 23);
  if (event.event !== 'request') {
    const { event: name, ...details } = event;
    const words = Object.entries(details).map(([key, value]) => `${key}=${value}`);
    return `${[clock, name, ...words].join(' ')}\n`;
  }
  const { status, method, route, bytes, ms, revision, token, requestId } = event;
  const made = revision === null ? '' : ` rev ${revision}`;
  return `${clock} ${status} ${method} ${route ?? '?'} ${bytes} B ${ms} ms${made} ${token ?? '-'} ${requestId}\n`;
}
