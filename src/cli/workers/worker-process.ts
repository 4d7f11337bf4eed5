import type { WorkerExit } from '../../event-log.ts';
import type { FollowStatus } from '../../follow/follow-status.ts';
import type { UsageReport } from '../../http/rate-limiting/shared-limits.ts';
import type { ScrubNews } from '../../http/scrub/scrub-status.ts';
import { isJournalStream } from '../../shared/is-journal-stream.ts';
import { getOwnCommand, WORKER_ARGUMENT } from '../../shared/own-command.ts';
import { SilenceMeter } from '../../shared/silence-meter.ts';
import { system } from '../../shared/system.ts';
import { StoreMigratedError } from '../../store/errors.ts';
import { CommandError } from '../command.ts';
import { FLUSH_TIMEOUT_MS, writeStderr } from '../output.ts';
import type { ReportRequest, WorkerReport } from './group-monitor.ts';

/** Its own work takes milliseconds; long work has a thread of its own. */
const MAX_SILENCE_MS = 2_000;
/** Covers loading the program and opening the store. */
const MAX_START_SILENCE_MS = 30_000;

/** A process that serves on the same port as others, with settings from the inherited environment. */
export class WorkerProcess {
  readonly pid: number;
  /** Resolves when it listens; rejects if it exits first. */
  readonly address: Promise<string>;
  /** Resolves when it has exited and its log is written, unless no process reads the log. */
  readonly exit: Promise<WorkerExit>;
  readonly #child: Bun.Subprocess<'ignore', 'ignore', 'pipe'>;
  readonly #listening = Promise.withResolvers<string>();
  readonly #silence: SilenceMeter;
  #maxSilenceMs = MAX_START_SILENCE_MS;
  #failure: string | undefined;

  constructor(
    port: number,
    revisionFile: string,
    private readonly handlers: {
      readonly onGroupMessage: (message: GroupMessage) => void;
      readonly onReport: (id: number, report: WorkerReport) => void;
      readonly onMigration: (migration: StoreMigratedError) => void;
    },
  ) {
    this.#child = Bun.spawn([...getOwnCommand(), WORKER_ARGUMENT], {
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'pipe',
      // Signals from the terminal go only to the supervisor, which stops its workers.
      detached: true,
      ipc: (message: WorkerMessage) => this.#receive(message),
    });
    this.pid = this.#child.pid;
    this.#silence = new SilenceMeter(`/proc/${this.pid}/task/${this.pid}/stat`);
    this.address = this.#listening.promise;
    // After a restart nothing awaits it, and a rejection must not end the supervisor.
    this.address.catch(() => {});
    this.exit = this.#waitForExit();
    const { isTTY = false } = process.stderr;
    this.send({ kind: 'start', port, isTTY, isJournal: isJournalStream(2), revisionFile });
  }

  send(message: SupervisorMessage): void {
    try {
      this.#child.send(message);
    } catch {
      // It has exited; `exit` is about to resolve.
    }
  }

  /** Also ends a stopped process, so that its port gets no more connections. */
  kill(cause?: string): void {
    this.#failure ??= cause;
    this.#child.kill(9);
  }

  /** Called once per tick; returns the length of a silence that is too long, else undefined. */
  measureSilence(): number | undefined {
    const silentMs = this.#silence.tick();
    return silentMs < this.#maxSilenceMs ? undefined : silentMs;
  }

  #receive(message: WorkerMessage): void {
    const { onGroupMessage, onReport, onMigration } = this.handlers;
    this.#silence.reset();
    if (message.kind === 'alive') return;
    if (message.kind === 'usage' || message.kind === 'scrubNews') onGroupMessage(message);
    else if (message.kind === 'report') onReport(message.id, message.report);
    else if (message.kind === 'migrated')
      onMigration(new StoreMigratedError(message.from, message.to));
    else if (message.kind === 'listening') {
      this.#maxSilenceMs = MAX_SILENCE_MS;
      this.#listening.resolve(message.address);
    } else {
      this.#failure = message.message;
      const error = new CommandError(message.message);
      this.#listening.reject(Object.assign(error, { code: message.code }));
    }
  }

  async #waitForExit(): Promise<WorkerExit> {
    const logged = relayLines(this.#child.stderr, writeStderr);
    await this.#child.exited;
    await Promise.race([logged, system.sleep(FLUSH_TIMEOUT_MS)]);
    const { pid, exitCode, signalCode } = this.#child;
    const signal = signalCode === null ? null : String(signalCode);
    const code = signal === null ? exitCode : null;
    const reason = signal ?? `exit code ${code}`;
    this.#listening.reject(new CommandError(`a worker exited before it could serve (${reason})`));
    return { pid, code, signal, ...(this.#failure !== undefined && { cause: this.#failure }) };
  }
}

const NEW_LINE = 10;

/**
 * Relays the log of a process in complete lines, so that those of several processes do not mix. Drops an
 * incomplete line of a killed process. Reads nothing while a write waits, so that the process notices that
 * its log is not read.
 */
export async function relayLines(
  log: AsyncIterable<Uint8Array>,
  write: (lines: Uint8Array) => Promise<void> | void,
): Promise<void> {
  let buffered: Uint8Array[] = [];
  for await (const chunk of log) {
    const end = chunk.lastIndexOf(NEW_LINE) + 1;
    if (end === 0) {
      buffered.push(chunk);
      continue;
    }
    const lines = chunk.subarray(0, end);
    await write(buffered.length === 0 ? lines : Buffer.concat([...buffered, lines]));
    buffered = end === chunk.length ? [] : [chunk.subarray(end)];
  }
}

/** A message of a supervisor to a worker. */
export type SupervisorMessage =
  | StartMessage
  | GroupMessage
  | ({ readonly kind: 'report' } & ReportRequest)
  | FollowMessage
  /** Makes it the worker that scrubs. */
  | { readonly kind: 'scrub' }
  /** Makes it report that it is about to stop. */
  | { readonly kind: 'drain' }
  | { readonly kind: 'stop' };

export interface FollowMessage {
  readonly kind: 'follow';
  readonly status: FollowStatus;
}

export interface StartMessage {
  readonly kind: 'start';
  /** 0 for any free port. */
  readonly port: number;
  /** Whether the log is read on a terminal. */
  readonly isTTY: boolean;
  /** Whether the log goes to a journal, which cannot be seen from its pipe to the supervisor. */
  readonly isJournal: boolean;
  /** The file in which workers share the newest revision of their responses. */
  readonly revisionFile: string;
}

/** A message of a worker to all others, by its supervisor. */
export type GroupMessage =
  | { readonly kind: 'usage'; readonly usage: UsageReport }
  | { readonly kind: 'scrubNews'; readonly news: ScrubNews };

/** A message of a worker to its supervisor. */
export type WorkerMessage =
  | { readonly kind: 'listening'; readonly address: string }
  /** Sent continuously; a worker that stops sending it is replaced. */
  | { readonly kind: 'alive' }
  /** Sent before it exits, because it cannot serve. */
  | { readonly kind: 'failed'; readonly message: string; readonly code?: string | undefined }
  /** A newer Tenor has migrated the database. */
  | { readonly kind: 'migrated'; readonly from: number; readonly to: number }
  | GroupMessage
  /** The response to a request for a report. */
  | { readonly kind: 'report'; readonly id: number; readonly report: WorkerReport };
