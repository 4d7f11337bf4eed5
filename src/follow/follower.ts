import { TenorError, type TenorErrorKind } from '../client/errors.ts';
import {
  createState,
  type FollowedLog,
  openFollowedLog,
  readFollowedRevisions,
  readSigned,
} from '../ledger/followed-log.ts';
import { LedgerError } from '../ledger/ledger-error.ts';
import { ignoreMissing } from '../ledger/log-entry.ts';
import { parseCheckpoint } from '../ledger/note.ts';
import type { Hash, ReadHash } from '../ledger/tree.ts';
import { createAlarm, VerificationError } from '../ledger/verification-error.ts';
import { MirrorError } from '../mirror/mirror-target.ts';
import { system } from '../shared/system.ts';
import {
  FollowError,
  type FollowedRevision,
  type LedgerEntry,
  type Publisher,
  type Revision,
  type Store,
  StoreBusyError,
  type StoreReader,
  StoreUnavailableError,
  StoreUnusableError,
  UNREADABLE_DATASET,
} from '../store/open-store.ts';
import { createInitialStatus, type FollowStatus } from './follow-status.ts';
import type { OpenedUpstream, Upstream } from './open-upstream.ts';

export interface FollowerOptions {
  /** Opens the database of the follower; called again if it was lost or replaced. */
  readonly openStore: () => Promise<Store>;
  readonly source: Upstream;
  /** The address of the source, for messages. */
  readonly sourceName: string;
  /** The verifier key that the publisher has announced; by default the first one seen. */
  readonly key?: string | undefined;
  /** The name of a restarted log that is accepted. */
  readonly acceptRestart?: string | undefined;
  readonly onStatus: (status: FollowStatus) => void;
}

const POLL_INTERVAL_MS = 1_000;
/** The interval after a failure that needs manual repair. */
const RETRY_INTERVAL_MS = 5_000;
/** The interval of checks whether the token is still valid while nothing is published. */
const ACCESS_INTERVAL_MS = 30_000;
/** The number of newest revisions whose scopes are compared. */
const COMPARED_REVISIONS = 1_000;
const BEGIN_ANEW = 'To follow this source, begin with an empty database.';

/** Applies the revisions of a server or mirror to a database in order, each verified against its transparency log. */
export class Follower {
  #status: FollowStatus;
  #intervalMs = POLL_INTERVAL_MS;
  #accessedMs = Number.NEGATIVE_INFINITY;
  #database: { readonly reader: StoreReader; readonly publisher: Publisher } | undefined;

  constructor(private readonly options: FollowerOptions) {
    this.#status = createInitialStatus(options.sourceName);
  }

  /** Applies all new revisions of the source; returns the milliseconds until the next poll. */
  async poll(): Promise<number> {
    try {
      // Until nothing new is found: more may be published while revisions are applied.
      while (await this.#follow());
    } catch (cause) {
      // Another process has applied the same revision to the same database.
      const isOvertaken = cause instanceof FollowError && cause.problem === 'not-next';
      if (!(isOvertaken || cause instanceof StoreBusyError)) return this.#reportFailure(cause);
    }
    return this.#intervalMs;
  }

  close(): void {
    this.#database?.reader.close();
    this.#database?.publisher.close();
    this.#database = undefined;
  }

  async #openDatabase() {
    if (this.#database?.reader.isCurrent() === false) this.close();
    if (!this.#database) {
      const store = await this.options.openStore();
      this.#database = { reader: store.reader(), publisher: store.publisher() };
      this.#database.reader.isCurrent();
    }
    return this.#database;
  }

  /** Applies the revisions that the source has now; returns whether there were any. */
  async #follow(): Promise<boolean> {
    const { reader, publisher } = await this.#openDatabase();
    const keys = await reader.ledgerKeys();
    const state = createState(await reader.checkpoint(), keys);
    const { size = 0 } = state ?? {};
    this.#status = { ...this.#status, revision: size };
    if (!state && (await reader.revision()) > 0)
      throw new FollowError('unknown-key', `The database has revisions of its own. ${BEGIN_ANEW}`);
    const source = await this.options.source.open(state?.checkpoint);
    const { open, intervalMs = POLL_INTERVAL_MS } = source;
    this.#intervalMs = intervalMs;
    const note = state && (await (await open('/ledger/checkpoint', 'text/plain')).text());
    if (note !== undefined && note === state?.checkpoint) {
      await this.#assertAccess(source);
      return this.#reportCompared(size, size);
    }
    // The newest key belongs to an accepted log, even if no revision of it is stored yet.
    const accepted = keys.at(-1)?.key.split('+')[0];
    const { key, acceptRestart = accepted } = this.options;
    const completeness = assertComplete(reader, size, source);
    // Problems of the log are reported first.
    completeness.catch(() => {});
    const readHash: ReadHash = async (...place) =>
      (await reader.treeHashes(...place, 1))[0] as Hash;
    const log = await openFollowedLog(open, { state, key, acceptRestart, readHash });
    const { commonSize = size } = log.restart ?? {};
    if (commonSize < size)
      throw createAlarm(
        'restarted',
        `The log that was begun again has only the first ${commonSize} of the ${size} revisions that are stored here. ${BEGIN_ANEW}`,
      );
    await completeness;
    this.#status = { ...this.#status, sourceRevision: log.size };
    // After a failure, the state becomes "behind" once a revision is applied.
    if (!this.#status.problem || size === log.size) this.#reportCompared(size, log.size);
    // Another key signs the log, perhaps including the newest stored checkpoint.
    if (state && state.key !== log.key)
      await publisher.applyRevision({ ...(await readSigned(open, size, log)), revision: size });
    if (size < log.size) await this.#apply(publisher, source, size, log);
    return size < log.size;
  }

  /** Applies the revisions of a log that follow the stored ones. */
  async #apply(publisher: Publisher, source: OpenedUpstream, size: number, log: FollowedLog) {
    const revisions = readFollowedRevisions(source.open, size + 1, log);
    let sourceRevision = log.size;
    let lookedMs = system.monotonicNow();
    for await (const followed of revisions) {
      const applied = await applyBundle(publisher, followed, revisions);
      if (system.monotonicNow() - lookedMs >= POLL_INTERVAL_MS) {
        sourceRevision = Math.max(sourceRevision, await this.#readSourceRevision());
        lookedMs = system.monotonicNow();
      }
      this.#reportCompared(applied, sourceRevision, 'behind');
    }
  }

  /** Anything published meanwhile is verified when it is applied. */
  async #readSourceRevision(): Promise<number> {
    const { open } = await this.options.source.open();
    const note = await (await open('/ledger/checkpoint', 'text/plain')).text();
    return parseCheckpoint(note)?.size ?? 0;
  }

  /** Checkpoints are open to all, so they do not reveal that the token was revoked or has expired. */
  async #assertAccess({ open }: OpenedUpstream): Promise<void> {
    const nowMs = system.monotonicNow();
    if (!this.#status.problem && nowMs - this.#accessedMs < ACCESS_INTERVAL_MS) return;
    // Mirrors have no such list; their files were already read.
    await open('/revisions?limit=1', 'application/json').catch(ignoreMissing);
    this.#accessedMs = nowMs;
  }

  #reportCompared(
    revision: number,
    sourceRevision: number,
    state: FollowStatus['state'] = revision < sourceRevision ? 'behind' : 'following',
  ): false {
    const { source } = this.#status;
    this.#status = { state, source, revision, sourceRevision, comparedAtMs: system.now() };
    this.options.onStatus(this.#status);
    return false;
  }

  #reportFailure(cause: unknown): number {
    const failure = describeFailure(cause);
    const isUnreachable = failure.state === 'unreachable';
    if (!isUnreachable) this.close();
    const hint = failure.problem === 'unknown-key' && this.#status.revision > 0 ? BEGIN_ANEW : '';
    const text = `${failure.cause} ${hint}`.trim();
    this.#status = { ...this.#status, ...failure, cause: text };
    this.options.onStatus(this.#status);
    const { retryAfterMs = 0 } = cause as { retryAfterMs?: number };
    return Math.max(retryAfterMs, isUnreachable ? POLL_INTERVAL_MS : RETRY_INTERVAL_MS);
  }
}

function findLastOfBundle({ revision, entry = 'null' }: FollowedRevision): number {
  try {
    const parsed: Partial<LedgerEntry> | null = JSON.parse(entry);
    return parsed?.options?.release?.last ?? revision;
  } catch {
    // It is rejected when it is applied.
    return revision;
  }
}

/**
 * Applies a revision, with those that follow if they were published together: no reader of the copy sees
 * one without the others. Returns the last of them.
 */
async function applyBundle(
  publisher: Publisher,
  first: FollowedRevision,
  revisions: AsyncIterator<FollowedRevision>,
): Promise<number> {
  const last = findLastOfBundle(first);
  let applied = first.revision;
  if (last <= applied) {
    await publisher.applyRevision(first);
    return applied;
  }
  await publisher.transaction(async ({ applyRevision }) => {
    await applyRevision(first);
    while (applied < last) {
      const { value, done } = await revisions.next();
      if (done) return;
      await applyRevision(value);
      applied = value.revision;
    }
  });
  return applied;
}

/** A source with fewer or more of the stored revisions would leave gaps in datasets. */
async function assertComplete(
  reader: StoreReader,
  size: number,
  { open, since }: OpenedUpstream,
): Promise<void> {
  if (size + 1 < since) {
    const message = `The mirror begins with revision ${since}, and the next one here is ${size + 1}. Follow a mirror that has all revisions, or a server.`;
    throw createAlarm('missing-entry', message);
  }
  if (size === 0) return;
  const path = `/revisions?before=${size + 1}&limit=${COMPARED_REVISIONS}`;
  // Mirrors have no such list: their scopes never change.
  const response = await open(path, 'application/json').catch(ignoreMissing);
  const { data } = ((await response?.json()) ?? {}) as { data?: readonly Revision[] };
  const own = (await reader.revisions({ before: size + 1 }))
    .filter(({ dataset }) => dataset !== UNREADABLE_DATASET)
    .slice(0, COMPARED_REVISIONS);
  if (!data || listNumbers(data) === listNumbers(own)) return;
  throw new FollowError(
    'other-scopes',
    'The token may read other revisions than those that are here: its scopes were changed. Give it those that it had, or begin with an empty database.',
  );
}

const listNumbers = (revisions: readonly Revision[]) =>
  revisions.map(({ revision }) => revision).join();

const DENIALS: readonly TenorErrorKind[] = ['unauthorized', 'forbidden'];

function describeFailure(cause: unknown): Pick<FollowStatus, 'state' | 'problem' | 'cause'> {
  const { message, stack = message } = cause as Error;
  const describe = (state: FollowStatus['state'], problem: string, text = message) => ({
    state,
    problem,
    cause: text,
  });
  if (cause instanceof TenorError && DENIALS.includes(cause.kind))
    return describe('unreachable', cause.kind, `The source rejects FOLLOW_TOKEN: ${message}`);
  if (cause instanceof TenorError || cause instanceof LedgerError)
    return describe('unreachable', cause.kind);
  if (cause instanceof MirrorError) return describe('unreachable', 'mirror');
  if (cause instanceof FollowError) return describe('stopped', cause.problem);
  if (cause instanceof StoreUnavailableError || cause instanceof StoreUnusableError)
    return describe('stopped', 'store');
  if (message.startsWith('key must'))
    return describe('stopped', 'unknown-key', message.replace('key', 'FOLLOW_KEY'));
  const [alarm] = cause instanceof VerificationError ? cause.problems : [];
  if (!alarm) return describe('stopped', 'unexpected', stack);
  // Nothing is published at the source yet.
  return describe(alarm.problem === 'no-log' ? 'unreachable' : 'stopped', alarm.problem);
}
