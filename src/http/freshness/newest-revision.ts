import type { Catalogue, Catalogues } from '../../catalogue/catalogues.ts';
import type { EmitEvent } from '../../event-log.ts';
import { system } from '../../shared/system.ts';
import type { StoreReader } from '../../store/open-store.ts';
import { HttpError } from '../http-error.ts';
import type { ResponseCache } from '../responses/response-cache.ts';
import type { DatabaseRevision } from './shared-revision.ts';

const WAIT_MS = 1_000;
const POLL_INTERVAL_MS = 25;
/** For one that was lost and given up: another of that number may have been published just now. */
const LOST_WAIT_MS = 100;
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

  /** That revision; -1 before any is known. */
  get revision(): number {
    return this.responseCache.revision;
  }

  /** Sets the first revision, without announcing it. */
  async start(revision: number): Promise<void> {
    await this.catalogues.advanceTo(revision);
    this.responseCache.advanceTo(revision);
  }

  /** Another database has taken the place of this one, and its revisions are shared from now on. */
  retire(): void {
    this.isRetired = true;
    this.sharedRevision = undefined;
  }

  /** From now on, nothing older than this revision is sent; first its catalogue is built. */
  async advanceTo(revision: number): Promise<void> {
    if (revision <= this.revision) return;
    await this.catalogues.advanceTo(revision);
    if (!this.responseCache.advanceTo(revision)) return;
    this.reader.observeRevision(revision);
    this.emit({ event: 'revision.seen', revision });
  }

  /** Whether another process has last sent something of another database. */
  isOtherDatabaseShared(): boolean {
    return this.sharedRevision?.isOfOther() === true;
  }

  /** Whether another process, or the client of a request, has seen a later revision than this one. */
  isBehind(required: string | null): boolean {
    return (
      (this.sharedRevision?.get() ?? -1) > this.revision ||
      (required !== null && !(REVISION_PATTERN.test(required) && Number(required) <= this.revision))
    );
  }

  /**
   * Takes up what other processes have sent already, and waits until the revision is there that a
   * request has seen before, perhaps from another machine, unless it was lost and given up since. An
   * error if it is not there in time, or if the header is invalid.
   */
  async catchUp(required: string | null): Promise<HttpError | undefined> {
    const seen = this.sharedRevision?.get() ?? -1;
    if (seen > this.revision) {
      const newest = this.reader.confirmRevision(seen);
      // It was sent before the file was overwritten by an older copy.
      if (newest < seen) this.sharedRevision?.takeBack(seen, newest);
      await this.advanceTo(newest);
    }
    if (required === null) return undefined;
    if (!REVISION_PATTERN.test(required)) return INVALID_REVISION_ERROR;
    return this.awaitRevision(Number(required));
  }

  /** Lets other processes know which revision was sent. */
  shareWithOtherProcesses(revision: number): void {
    this.sharedRevision?.raise(revision);
  }

  /** Waits for a revision; an error if it is not there in time. */
  async awaitRevision(revision: number): Promise<HttpError | undefined> {
    return revision <= Math.max(0, this.revision) ? undefined : this.#pollUntil(revision);
  }

  async #pollUntil(required: number): Promise<HttpError | undefined> {
    const isLost = required <= this.reader.lostRevision();
    const deadlineMs = system.monotonicNow() + (isLost ? LOST_WAIT_MS : WAIT_MS);
    let revision = await this.reader.revision();
    while (revision < required && system.monotonicNow() < deadlineMs)
      revision = await this.#pollSoon();
    await this.advanceTo(revision);
    return isLost || required <= this.revision ? undefined : MISSING_REVISION_ERROR;
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
/** If a revision is not there in time. */
export const MISSING_REVISION_ERROR = new HttpError(
  'temporarily_unavailable',
  {},
  { 'Retry-After': '1' },
);

/** What a request is a view of: everything that its response is made from is of this revision. */
export interface View {
  readonly revision: number;
  readonly catalogue: Catalogue;
  /** What names the revision; nothing names the newest one. */
  readonly namedBy: 'nothing' | 'cursor' | 'until' | 'number' | 'instant';
  /** Of `as_of` or `Accept-Datetime`: when it was published, or the instant before the first one. */
  readonly mementoDatetime?: Date;
  /** Why the request cannot have the view that it names; then this is the newest one. */
  readonly error?: HttpError;
}
