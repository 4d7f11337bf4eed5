import { escapeControls, stringifyEscaped } from './shared/control-characters.ts';

/** Every event that a server logs. */
export type LogEvent = RequestEvent | ServiceEvent;

interface RequestEvent {
  readonly event: 'request';
  readonly requestId: string;
  /** The id of the token; null if none was accepted. */
  readonly token: string | null;
  /** The address of the client that the trusted proxies report; null if it was not looked up. */
  readonly address: string | null;
  readonly method: string;
  /** The path of the route; null if no route matches. */
  readonly route: string | null;
  readonly status: number;
  readonly bytes: number;
  readonly ms: number;
  /** The revision of the response; null if no data was read. */
  readonly revision: number | null;
  /** Keys that most lines do not have. */
  readonly details?: RequestDetails | undefined;
}

export interface RequestDetails {
  /** The path if no route matches, without the query. */
  readonly path?: string;
  /** Why a request is invalid. */
  readonly reason?: string;
  readonly traceId?: string;
  readonly spanId?: string;
  /** That of this request, as `traceresponse` says. */
  readonly childSpanId?: string;
  /** Where the time of a slow request went: the milliseconds of each phase. */
  readonly slow?: Readonly<Record<string, number>>;
}

type ServiceEvent =
  /** The program and its settings; logged once for all workers. */
  | {
      readonly event: 'service.configured';
      readonly version: string;
      /** The commit that the executable was built from. */
      readonly commit?: string;
      readonly bun: string;
      readonly pid: number;
      readonly engine: string;
      /** The version of the database's schema. */
      readonly schema: number;
      /** By variable; secrets are hidden, and unset variables are null. */
      readonly settings: Readonly<Record<string, string | null>>;
    }
  | { readonly event: 'service.started'; readonly address: string; readonly revision: number }
  /** Connections use nearly all files that the process may open; at most once a minute. */
  | { readonly event: 'connections.full'; readonly openFiles: number; readonly fileLimit: number }
  /** The port was closed for lack of files and cannot be opened again yet; once a minute. */
  | { readonly event: 'listen.failed'; readonly cause: string }
  /** New connections get another certificate. */
  | { readonly event: 'tls.changed'; readonly file: string; readonly expiresAt: string }
  /** The certificate files cannot be used: the previous certificate stays in use. */
  | { readonly event: 'tls.failed'; readonly cause: string }
  /** Less than a sixth of a certificate's lifetime is left, or it has expired; once a day. */
  | { readonly event: 'tls.expiring'; readonly file: string; readonly expiresAt: string }
  /** Lines that were dropped while no process read the log. */
  | { readonly event: 'log.dropped'; readonly lines: number }
  /** Requests without an accepted token that were not logged one by one. */
  | { readonly event: 'requests.unlogged'; readonly count: number }
  | { readonly event: 'service.stopping'; readonly signal: string }
  | { readonly event: 'service.stopped' }
  | { readonly event: 'worker.started'; readonly pid: number }
  | ({ readonly event: 'worker.died' } & WorkerExit)
  | { readonly event: 'worker.failed'; readonly cause: string }
  /** The background thread did not respond; its jobs failed, and the next job starts a new thread. */
  | { readonly event: 'thread.replaced'; readonly cause: string; readonly jobs: readonly string[] }
  | { readonly event: 'revision.seen'; readonly revision: number }
  | {
      readonly event: 'store.prepared';
      readonly database: string;
      /** The previous version of the schema; null if the database was created. */
      readonly from: number | null;
      readonly to: number;
    }
  /**
   * A newer Tenor has migrated the database: this server responds 503 and exits so that the newer one can
   * take over.
   */
  | { readonly event: 'store.migrated'; readonly from: number; readonly to: number }
  /** Another database has replaced the file, or some of its revisions were given up. */
  | { readonly event: 'store.replaced'; readonly revision: number }
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
  /** Stored data differs from what was published; only the first few faults of a scrub are logged. */
  | { readonly event: 'scrub.fault'; readonly fault: string }
  | {
      readonly event: 'scrub.finished';
      readonly records: number;
      readonly faults: number;
      readonly seconds: number;
    }
  /** Requests for these datasets get 503 from now on; `ledger` stands for reads as of a revision, `*` for all. */
  | { readonly event: 'store.damaged'; readonly datasets: readonly string[] }
  /** A later scrub has found no faults, or the database was replaced: all datasets are served. */
  | { readonly event: 'store.repaired' }
  /** The store could not be read, or a bug; the scrub is tried again. */
  | { readonly event: 'scrub.failed'; readonly cause: string }
  | { readonly event: 'watch.failed'; readonly cause: string }
  /** The state of a server that follows another one; once for all workers. */
  | {
      readonly event: 'follow.changed';
      readonly state: 'following' | 'behind' | 'unreachable' | 'stopped';
      readonly source: string;
      readonly revision: number;
      readonly sourceRevision: number | null;
      readonly problem?: string;
      readonly cause?: string;
    }
  /** Which tokens, links and cursors of its source are valid; the cause, if it cannot be asked. */
  | {
      readonly event: 'follow.shared';
      readonly sharing: 'tokens' | 'cursors' | 'nothing' | 'unconfirmed';
      readonly cause?: string | undefined;
    }
  /** The keys of an OpenID provider could not be fetched: those that are known go on being used. */
  | { readonly event: 'sso.failed'; readonly issuer: string; readonly cause: string }
  /** A line of the audit log could not be written: reads get 503 until one can. */
  | { readonly event: 'audit.failed'; readonly cause: string }
  | { readonly event: 'admin.started'; readonly address: string }
  | { readonly event: 'admin.failed'; readonly cause: string }
  /** A download that ended because the client read it too slowly. */
  | { readonly event: 'request.stalled'; readonly requestId: string; readonly bytes: number }
  | { readonly event: 'request.failed'; readonly requestId: string; readonly cause: string };

/** How a worker process ended, unexpectedly or because it did not respond. */
export interface WorkerExit {
  readonly pid: number;
  /** Its exit code; null if a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
  /** Why it could not serve, if it reported that, or for how long it did not respond. */
  readonly cause?: string;
}

export type EmitEvent = (event: LogEvent) => void;

/** Priorities of syslog, by which a journal is filtered. */
const [ERROR, WARNING, INFO] = [3, 4, 6];

/** The priority of each event above information. */
export const EVENT_PRIORITIES: Readonly<Partial<Record<LogEvent['event'], number>>> = {
  'admin.failed': ERROR,
  'audit.failed': ERROR,
  'listen.failed': ERROR,
  'request.failed': ERROR,
  'scrub.fault': ERROR,
  'store.damaged': ERROR,
  'store.lost': ERROR,
  'tls.failed': ERROR,
  'watch.failed': ERROR,
  'worker.failed': ERROR,
  'connections.full': WARNING,
  'log.dropped': WARNING,
  'scrub.failed': WARNING,
  'sso.failed': WARNING,
  'store.migrated': WARNING,
  'store.replaced': WARNING,
  'store.unavailable': WARNING,
  'thread.replaced': WARNING,
  'tls.expiring': WARNING,
  'tokens.unconfirmed': WARNING,
  'worker.died': WARNING,
};

/** The output of an event log: standard error, or a list in tests. */
interface LogSink {
  readonly isTTY?: boolean;
  /** Returns false if the text has to wait; `onWritten` is called once it is written. */
  readonly write: (text: string, onWritten: () => void) => unknown;
}

const FLUSH_DELAY_MS = 10;
/** Few enough that all of them are still in the processor's cache when they are joined. */
const MAX_BUFFERED_CHARACTERS = 8_192;
const MAX_UNWRITTEN_CHARACTERS = 1_048_576;

/** `auto` is text on a terminal, JSON elsewhere. */
export type LogFormat = 'auto' | 'json' | 'text';

/**
 * Writes one line per event, for people or as JSON; with its priority in a journal. Lines are buffered briefly,
 * because a write for every request, or for every turn of the event loop, would cost more than many responses.
 * While no process reads them, lines are dropped and counted, so that requests go on and memory stays bounded.
 */
export class EventLog {
  private readonly formatLine: (event: LogEvent, time: string) => string;
  private buffered = '';
  private bufferedLines = 0;
  private timer: NodeJS.Timeout | undefined;
  private unwrittenCharacters = 0;
  private droppedLines = 0;
  private allDroppedLines = 0;
  private timestampMs = 0;
  private timestamp = '';

  constructor(
    private readonly output: LogSink,
    format: LogFormat = 'auto',
    isJournal = false,
  ) {
    const isText = format === 'auto' ? output.isTTY : format === 'text';
    const formatLine = isText ? formatTextLine : formatJsonLine;
    // A journal reads the priority from the prefix of the line, and does not store the prefix.
    this.formatLine = isJournal
      ? (event, time) => `<${getPriority(event)}>${formatLine(event, time)}`
      : formatLine;
  }

  readonly emit: EmitEvent = (event) => {
    this.bufferedLines++;
    this.timer ??= setTimeout(this.flushInTime, FLUSH_DELAY_MS);
    this.buffered += this.formatLine(event, this.getTimestamp());
    if (this.buffered.length > MAX_BUFFERED_CHARACTERS) this.flush();
  };

  private readonly flushInTime = (): void => {
    this.timer = undefined;
    this.flush();
  };

  /** A crash by an unhandled error keeps its last lines. */
  flushAtExit(): void {
    process.on('exit', this.flush);
  }

  /** How many lines were dropped while no process read the log. */
  readonly countDroppedLines = () => this.allDroppedLines;

  readonly flush = (): void => {
    if (this.bufferedLines === 0) return;
    const [text, lines] = [this.buffered, this.bufferedLines];
    this.buffered = '';
    this.bufferedLines = 0;
    if (this.unwrittenCharacters > MAX_UNWRITTEN_CHARACTERS) {
      this.droppedLines += lines;
      this.allDroppedLines += lines;
    } else this.write(this.droppedLines > 0 ? this.takeDropReport() + text : text);
  };

  private write(text: string): void {
    this.unwrittenCharacters += text.length;
    let isWritten = false;
    const onWritten = () => {
      if (isWritten) return;
      isWritten = true;
      this.unwrittenCharacters -= text.length;
      if (this.unwrittenCharacters === 0 && this.droppedLines > 0)
        this.write(this.takeDropReport());
    };
    if (this.output.write(text, onWritten) !== false) onWritten();
  }

  private takeDropReport(): string {
    const event = { event: 'log.dropped', lines: this.droppedLines } as const;
    this.droppedLines = 0;
    return this.formatLine(event, this.getTimestamp());
  }

  /** The current time as text, formatted once per millisecond. */
  private getTimestamp(): string {
    const ms = Date.now();
    if (ms !== this.timestampMs) {
      this.timestampMs = ms;
      this.timestamp = new Date(ms).toISOString();
    }
    return this.timestamp;
  }
}

function getPriority(event: LogEvent): number {
  if (event.event === 'request') return event.status >= 500 ? WARNING : INFO;
  if (event.event === 'server.found') return event.condition === 'healthy' ? INFO : WARNING;
  if (event.event === 'follow.shared') return event.sharing === 'unconfirmed' ? WARNING : INFO;
  if (event.event === 'follow.changed')
    return { stopped: ERROR, unreachable: WARNING, behind: INFO, following: INFO }[event.state];
  return EVENT_PRIORITIES[event.event] ?? INFO;
}

function formatJsonLine(event: LogEvent, time: string): string {
  if (event.event !== 'request') return `${stringifyEscaped({ time, ...event })}\n`;
  const { requestId, token, address, method, route, status, bytes, ms, revision, details } = event;
  const detailsText = details === undefined ? '{}' : stringifyEscaped(details);
  const end = detailsText === '{}' ? '}' : `,${detailsText.slice(1)}`;
  // None of these values needs escaping, and this line is written for every request.
  return `{"time":"${time}","event":"request","requestId":"${requestId}","token":${quoteOrNull(token)},"address":${quoteOrNull(address)},"method":"${method}","route":${quoteOrNull(route)},"status":${status},"bytes":${bytes},"ms":${ms},"revision":${revision}${end}\n`;
}

function quoteOrNull(text: string | null): string {
  return text === null ? 'null' : `"${text}"`;
}

function formatTextLine(event: LogEvent, time: string): string {
  const clock = time.slice(11, 23);
  if (event.event !== 'request') {
    const { event: name, ...values } = event;
    return `${clock} ${name}${formatPairs(values)}\n`;
  }
  const { status, method, route, bytes, ms, revision, token, address, requestId } = event;
  const revisionText = revision === null ? '' : ` rev ${revision}`;
  return `${clock} ${status} ${method} ${route ?? '?'} ${bytes} B ${ms} ms${revisionText} ${token ?? '-'} ${address ?? '-'} ${requestId}${formatPairs(event.details ?? {})}\n`;
}

function formatPairs(values: object): string {
  const pairs = Object.entries(values).map(([key, value]) => {
    const text = typeof value === 'object' ? JSON.stringify(value) : value;
    return escapeControls(` ${key}=${text}`);
  });
  return pairs.join('');
}
