import { TenorError } from '../../clients/typescript/src/errors.ts';
import {
  type Checkpoint,
  encodeBase64,
  parseCheckpoint,
} from '../../clients/typescript/src/ledger/note.ts';
import { readLeaves } from '../../clients/typescript/src/ledger/read-leaves.ts';
import {
  createAlarm,
  VerificationError,
} from '../../clients/typescript/src/ledger/verification-error.ts';
import {
  type OpenPath,
  readKeys,
  type VerifierState,
  verifyLog,
} from '../../clients/typescript/src/ledger/verify-log.ts';
import { system } from '../shared/system.ts';
import {
  FollowError,
  type Publisher,
  type Store,
  StoreBusyError,
  type StoreReader,
  StoreUnavailableError,
  StoreUnusableError,
} from '../store/open-store.ts';
import { createInitialStatus, type FollowStatus } from './follow-status.ts';
import type { FollowSource, OpenedSource } from './open-source.ts';
import { readRevision, readSigned, type VerifiedLog } from './read-revision.ts';

export interface FollowerOptions {
  /** Opens the database that follows; again where it was lost or replaced. */
  readonly openStore: () => Promise<Store>;
  /** Where it is, for messages. */
  readonly sourceName: string;
  readonly source: FollowSource;
  /** The verifier key that the publisher has made known; by default that which is seen first. */
  readonly key?: string | undefined;
  /** The name of a log that was begun again, if that is accepted. */
  readonly acceptRestart?: string | undefined;
  readonly onStatus: (status: FollowStatus) => void;
}

const POLL_INTERVAL_MS = 1_000;
/** After a failure that only a person or time mends. */
const RETRY_INTERVAL_MS = 5_000;
/** Revisions that are read while one is applied. */
const READ_AHEAD = 4;

/** Applies the revisions of a source to a database, one after the other, each checked against its log. */
export class Follower {
  #status: FollowStatus;
  #database: { readonly reader: StoreReader; readonly publisher: Publisher } | undefined;

  constructor(private readonly options: FollowerOptions) {
    this.#status = createInitialStatus(options.sourceName);
  }

  /** Takes over what the source has; returns the milliseconds after which to look again. */
  async poll(): Promise<number> {
    try {
      await this.#follow(await this.#openDatabase(), await this.options.source.open());
      return POLL_INTERVAL_MS;
    } catch (cause) {
      // Another process applies the same revision to the same database.
      if (cause instanceof StoreBusyError || isOvertaken(cause)) return POLL_INTERVAL_MS;
      if (!(cause instanceof TenorError || cause instanceof VerificationError)) this.close();
      this.#reportFailure(describeFailure(cause, this.#status.revision > 0));
      const { retryAfterMs = 0 } = cause as { retryAfterMs?: number };
      return Math.max(
        retryAfterMs,
        cause instanceof TenorError ? POLL_INTERVAL_MS : RETRY_INTERVAL_MS,
      );
    }
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

  async #follow(
    { reader, publisher }: { reader: StoreReader; publisher: Publisher },
    { open, since }: OpenedSource,
  ) {
    const own = await readOwnLog(reader);
    const { size = 0 } = own?.state ?? {};
    this.#status = { ...this.#status, revision: size };
    const note = await open('/ledger/checkpoint', 'text/plain').then(
      (response) => response.text(),
      ignoreMissing,
    );
    if (own && note === own.state.checkpoint) return this.#reportCompared(size, size);
    const log = await this.#verify(open, own);
    this.#reportCompared(size, log.size);
    if (size + 1 < since) {
      const message = `The mirror begins with revision ${since}, and the next one here is ${size + 1}. Follow a mirror that has all revisions, or a server.`;
      throw createAlarm('missing-entry', message);
    }
    // Another key signs it, also the newest one that is stored, or it was begun again.
    if (own && own.state.key !== log.key)
      await publisher.applyRevision({ ...(await readSigned(open, size, log)), revision: size });
    const read = (revision: number) => readRevision(open, revision, log);
    for await (const followed of readAhead(size + 1, log.size, read)) {
      await publisher.applyRevision(followed);
      this.#reportCompared(followed.revision, log.size);
    }
  }

  /** The log of the source, if it goes on from what is stored. */
  async #verify(open: OpenPath, own: OwnLog | undefined): Promise<VerifiedLog> {
    const { key, acceptRestart } = this.options;
    const state = own?.state;
    const verified = await verifyLog(open, {
      ...{ state, key },
      acceptRestart: own?.acceptedOrigin ?? acceptRestart,
    });
    const { size, restart } = verified;
    const ownSize = state?.size ?? 0;
    if (restart && restart.commonSize < ownSize) {
      const message = `The log that was begun again as ${restart.origin} has only the first ${restart.commonSize} of the ${ownSize} revisions that are stored here. ${BEGIN_ANEW}`;
      throw createAlarm('restarted', message, { restart });
    }
    const { keys } = await readKeys(open);
    const checkpoint = parseCheckpoint(verified.state.checkpoint) as Checkpoint;
    const leaves = size > ownSize + 1 ? await readLeaves(open, checkpoint) : undefined;
    return { ...verified, keys, leaves };
  }

  #reportCompared(revision: number, sourceRevision: number): void {
    const state = revision < sourceRevision ? 'behind' : 'following';
    const { source } = this.#status;
    this.#status = { state, source, revision, sourceRevision, comparedAtMs: system.now() };
    this.options.onStatus(this.#status);
  }

  #reportFailure(failure: Pick<FollowStatus, 'state' | 'problem' | 'cause'>): void {
    this.#status = { ...this.#status, ...failure };
    this.options.onStatus(this.#status);
  }
}

const BEGIN_ANEW = 'To follow this source, begin with an empty database.';

interface OwnLog {
  readonly state: VerifierState;
  /** The name of the log that the source has, if its revisions so far are of an earlier one. */
  readonly acceptedOrigin: string | undefined;
}

/** The log of the database that follows, which is the state of what was verified; undefined if empty. */
async function readOwnLog(reader: StoreReader): Promise<OwnLog | undefined> {
  const note = await reader.checkpoint();
  const checkpoint = note === undefined ? undefined : parseCheckpoint(note);
  if (note === undefined || !checkpoint) {
    if ((await reader.revision()) === 0) return undefined;
    throw new FollowError('unknown-key', `The database has revisions of its own. ${BEGIN_ANEW}`);
  }
  const { origin, size, root } = checkpoint;
  const keys = (await reader.ledgerKeys()).map(({ key }) => key);
  const key = keys.findLast((each) => each.startsWith(`${origin}+`)) ?? '';
  const newest = keys.at(-1)?.split('+')[0];
  const state = { origin, key, size, root: encodeBase64(root), checkpoint: note, verifiedAt: '' };
  return { state, acceptedOrigin: newest === origin ? undefined : newest };
}

/** Reads revisions while earlier ones are used. */
async function* readAhead<T>(
  first: number,
  last: number,
  read: (revision: number) => Promise<T>,
): AsyncGenerator<T> {
  const pending: Promise<T>[] = [];
  for (let next = first; next <= last || pending.length > 0; ) {
    while (next <= last && pending.length < READ_AHEAD) {
      const revision = read(next++);
      // It fails when it is awaited, if it ever is.
      revision.catch(() => {});
      pending.push(revision);
    }
    yield (await pending.shift()) as T;
  }
}

function isOvertaken(cause: unknown): boolean {
  return cause instanceof FollowError && cause.problem === 'not-next';
}

function ignoreMissing(cause: { readonly status?: unknown }): undefined {
  if (cause.status !== 404) throw cause;
}

function describeFailure(
  cause: unknown,
  hasRevisions: boolean,
): Pick<FollowStatus, 'state' | 'problem' | 'cause'> {
  const { message } = cause as Error;
  if (cause instanceof TenorError)
    return { state: 'unreachable', problem: cause.kind, cause: message };
  if (cause instanceof FollowError)
    return { state: 'stopped', problem: cause.problem, cause: message };
  const [alarm] = cause instanceof VerificationError ? cause.problems : [];
  // A source may be followed before anything is published there.
  if (alarm) {
    const { problem } = alarm;
    const hint = problem === 'unknown-key' && hasRevisions ? ` ${BEGIN_ANEW}` : '';
    return {
      state: problem === 'no-log' ? 'unreachable' : 'stopped',
      ...{ problem, cause: message + hint },
    };
  }
  const isExpected = cause instanceof StoreUnavailableError || cause instanceof StoreUnusableError;
  return isExpected
    ? { state: 'stopped', problem: 'store', cause: message }
    : { state: 'stopped', problem: 'unexpected', cause: (cause as Error).stack ?? message };
}
