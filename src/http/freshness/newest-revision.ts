import type { Catalogues } from '../../catalogue/catalogues.ts';
import type { EmitEvent } from '../../event-log.ts';
import { type Awaitable, whenReady } from '../../shared/awaitable.ts';
import { system } from '../../shared/system.ts';
import type { StoreReader } from '../../store/open-store.ts';
import { HttpError } from '../http-error.ts';
import type { ResponseCache } from '../responses/response-cache.ts';
import type { DatabaseRevision } from './shared-revision.ts';

const WAIT_MS = 1_000;
const POLL_INTERVAL_MS = 25;
/** For one that was lost and given up: another of that number may have been published just now. */
const LOST_WAIT_MS = 100;
/** Revision numbers are four bytes long. */
const MAX_AWAITED_REVISION = 2_147_483_647;
export const REQUIRED_REVISION_HEADER = 'Tenor-Revision';
const REVISION_PATTERN = /^\d{1,10}$/;

/** The newest revision of a database that is known here: nothing older is sent. */
export class NewestRevision {
  isRetired = false;
  #poll: Promise<number> | undefined;

  constructor(
    private readonly reader: Pick<
      StoreReader,
      'revision' | 'confirmRevision' | 'lostRevision' | 'observeRevision'
    >,
    private readonly responseCache: Pick<ResponseCache, 'revision' | 'advanceTo'>,
    private readonly catalogues: Pick<Catalogues, 'advanceTo'>,
    private readonly emit: EmitEvent,
    /** Given to each of several servers that share one port. */
    private sharedRevision:
      | Pick<DatabaseRevision, 'get' | 'isOfOther' | 'raise' | 'takeBack'>
      | undefined,
  ) {}

  /** Another database has taken the place of this one, and its revisions are shared from now on. */
  retire(): void {
    this.isRetired = true;
    this.sharedRevision = undefined;
  }

  /** From now on, nothing older than this revision is sent; first its catalogue is built. */
  advanceTo(revision: number): Awaitable<void> {
    if (revision <= this.responseCache.revision) return;
    return whenReady(this.catalogues.advanceTo(revision), () => {
      if (!this.responseCache.advanceTo(revision)) return;
      this.reader.observeRevision(revision);
      this.emit({ event: 'revision.seen', revision });
    });
  }

  /** Whether another process has last sent something of another database. */
  isOtherDatabaseShared(): boolean {
    return this.sharedRevision?.isOfOther() === true;
  }

  /** Takes up what other processes have sent already. */
  followOtherProcesses(): Awaitable<void> {
    const seen = this.sharedRevision?.get() ?? -1;
    if (seen <= this.responseCache.revision) return;
    const newest = this.reader.confirmRevision(seen);
    // It was sent before the file was overwritten by an older copy.
    if (newest < seen) this.sharedRevision?.takeBack(seen, newest);
    return this.advanceTo(newest);
  }

  /** Lets other processes know which revision was sent. */
  shareWithOtherProcesses(revision: number): void {
    this.sharedRevision?.raise(revision);
  }

  /**
   * Waits until the revision is there that a request has seen before, perhaps from another machine,
   * unless it was lost and given up since; an error where it is not there in time, or where the
   * header is invalid.
   */
  awaitRequired(header: string): Awaitable<HttpError | undefined> {
    if (!REVISION_PATTERN.test(header)) return INVALID_REVISION_ERROR;
    const required = Number(header);
    return required <= this.responseCache.revision ? undefined : this.#pollUntil(required);
  }

  /** Waits for a revision that a parameter names; whether it is there is for the reader to say. */
  awaitNamed(revision: number): Awaitable<unknown> {
    return revision <= MAX_AWAITED_REVISION ? this.awaitRequired(String(revision)) : undefined;
  }

  async #pollUntil(required: number): Promise<HttpError | undefined> {
    const isLost = required <= this.reader.lostRevision();
    const deadlineMs = system.monotonicNow() + (isLost ? LOST_WAIT_MS : WAIT_MS);
    let revision = await this.reader.revision();
    while (revision < required && system.monotonicNow() < deadlineMs)
      revision = await this.#pollSoon();
    await this.advanceTo(revision);
    return isLost || required <= this.responseCache.revision ? undefined : MISSING_REVISION_ERROR;
  }

  /** The newest revision in a moment; all requests that wait for one share the query. */
  #pollSoon(): Promise<number> {
    this.#poll ??= system
      .sleep(POLL_INTERVAL_MS)
      .then(() => this.reader.revision())
      .finally(() => {
        this.#poll = undefined;
      });
    return this.#poll;
  }
}

const INVALID_REVISION_ERROR = new HttpError('bad_header', {
  header: REQUIRED_REVISION_HEADER,
  allowed: 'the number of a revision, in plain digits',
});
/** Where a revision is not there in time. */
export const MISSING_REVISION_ERROR = new HttpError(
  'temporarily_unavailable',
  {},
  { 'Retry-After': '1' },
);
