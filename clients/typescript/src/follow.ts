import { TenorError } from '../../../src/client/errors.ts';
import type { RevisionsRecord } from '../../../src/client/generated.ts';
import { parseEvents } from '../../../src/client/parse-events.ts';
import { parseMeta } from '../../../src/client/response-meta.ts';
import { type Clock, getBackoffMs, isTemporary, SYSTEM_CLOCK } from '../../../src/client/retry.ts';

/** Options of following revisions. */
export interface FollowOptions {
  /** Revisions after this one come first; by default only new ones come. */
  readonly since?: number | undefined;
  /** The interval of polls if a service or proxy has no `/events`; default 30,000. */
  readonly pollMs?: number | undefined;
  /** Ends it; the generator then throws its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The requests that following sends. */
export interface RevisionSource {
  /** Opens `/events` after a revision; the response has the newest one in `Tenor-Revision`. */
  openEvents(after: number | undefined, signal: AbortSignal | undefined): Promise<Response>;
  /** The newest revisions, newest first. */
  readRevisions(
    limit: number,
    signal: AbortSignal | undefined,
  ): Promise<readonly RevisionsRecord[]>;
  /** Accepts older revisions than were seen. */
  forgetSeenRevision(): void;
}

/** The service sends a comment every 15 seconds. */
const MAX_SILENCE_MS = 45_000;

const DEFAULT_POLL_MS = 30_000;

/** The maximum number of revisions that a poll reads. */
const POLL_LIMIT = 1_000;

/** Each revision as it is published. Ends only by an error that does not pass, or the signal. */
export async function* followRevisions(
  source: RevisionSource,
  options: FollowOptions,
  clock: Clock = SYSTEM_CLOCK,
): AsyncGenerator<RevisionsRecord, never, undefined> {
  const { signal } = options;
  const reader = new RevisionReader(source, options, clock);
  let failures = 0;
  for (;;) {
    try {
      for await (const revision of reader.read()) {
        failures = 0;
        yield revision;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof TenorError) || !isTemporary(error)) throw error;
      const backoffMs = getBackoffMs(++failures, clock.random());
      await clock.wait(Math.max(error.retryAfterMs ?? 0, backoffMs), signal);
    }
  }
}

/** Reads on after the last revision that was read. */
class RevisionReader {
  readonly #source: RevisionSource;
  readonly #pollMs: number;
  readonly #signal: AbortSignal | undefined;
  readonly #clock: Clock;
  #last: number | undefined;
  /** The instant at which the last revision was published, if it is known. */
  #publishedAt: string | undefined;

  constructor(source: RevisionSource, options: FollowOptions, clock: Clock) {
    this.#source = source;
    this.#last = options.since;
    this.#pollMs = options.pollMs ?? DEFAULT_POLL_MS;
    this.#signal = options.signal;
    this.#clock = clock;
  }

  /** The revisions of one connection, or of polling if the service has no events. */
  async *read(): AsyncGenerator<RevisionsRecord> {
    try {
      yield* this.#readEvents();
    } catch (error) {
      this.#signal?.throwIfAborted();
      const kind = error instanceof TenorError ? error.kind : undefined;
      if (kind === 'bad_request' && this.#last !== undefined) yield* this.#startAnew();
      else if (kind === 'not_found') yield* this.#poll();
      else throw error;
    }
  }

  async *#readEvents(): AsyncGenerator<RevisionsRecord> {
    const response = await this.#source.openEvents(this.#last, this.#signal);
    const meta = parseMeta(response.url || 'http://localhost/', response.headers, false);
    const { sincePublishedAt = this.#publishedAt } = meta;
    if (this.#publishedAt !== undefined && sincePublishedAt !== this.#publishedAt) {
      await response.body?.cancel();
      return yield* this.#startAnew();
    }
    this.#publishedAt = this.#last === undefined ? meta.publishedAt : sincePublishedAt;
    this.#last ??= meta.revision ?? 0;
    for await (const data of parseEvents(response, MAX_SILENCE_MS))
      yield this.#advanceTo(JSON.parse(data) as RevisionsRecord);
    throw new TenorError('network', 'the stream of events ended', { url: response.url });
  }

  #advanceTo(revision: RevisionsRecord): RevisionsRecord {
    this.#last = revision.revision;
    this.#publishedAt = revision.publishedAt;
    return revision;
  }

  /** The newest revision of a database that replaced the one before. */
  async *#startAnew(): AsyncGenerator<RevisionsRecord> {
    this.#source.forgetSeenRevision();
    const [newest] = await this.#source.readRevisions(1, this.#signal);
    this.#last = 0;
    this.#publishedAt = undefined;
    if (newest) yield this.#advanceTo(newest);
  }

  async *#poll(): AsyncGenerator<RevisionsRecord> {
    const revisions = await this.#source.readRevisions(POLL_LIMIT, this.#signal);
    const last = this.#last ?? revisions[0]?.revision ?? 0;
    this.#last = last;
    for (const revision of revisions.filter(({ revision: number }) => number > last).reverse())
      yield this.#advanceTo(revision);
    await this.#clock.wait(this.#pollMs, this.#signal);
  }
}
