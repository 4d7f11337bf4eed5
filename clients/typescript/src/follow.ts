import { TenorError, type TenorErrorKind } from './errors.ts';
import type { RevisionsRecord } from './generated.ts';
import { parseEvents } from './parse-events.ts';
import { type Clock, getBackoffMs, SYSTEM_CLOCK } from './retry.ts';

/** How to follow revisions. */
export interface FollowOptions {
  /** Those after this revision come first; by default only new ones come. */
  readonly since?: number | undefined;
  /** How often a service or proxy without `/events` is asked; default 30,000. */
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

const TEMPORARY: ReadonlySet<TenorErrorKind> = new Set([
  'network',
  'timeout',
  'too_many_requests',
  'temporarily_unavailable',
]);

/** How many revisions a poll reads. */
const POLL_LIMIT = 1_000;

/** Each revision as it is published. Ends only by an error that does not pass, or the signal. */
export async function* followRevisions(
  source: RevisionSource,
  { since, pollMs = 30_000, signal }: FollowOptions,
  clock: Clock = SYSTEM_CLOCK,
): AsyncGenerator<RevisionsRecord, never, undefined> {
  const reader: RevisionReader = { source, last: since, pollMs, signal, clock };
  let failures = 0;
  for (;;) {
    try {
      for await (const revision of readSome(reader)) {
        failures = 0;
        yield revision;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof TenorError) || !TEMPORARY.has(error.kind)) throw error;
      const backoffMs = getBackoffMs(++failures, clock.random());
      await clock.wait(Math.max(error.retryAfterMs ?? 0, backoffMs), signal);
    }
  }
}

interface RevisionReader {
  readonly source: RevisionSource;
  readonly pollMs: number;
  readonly signal: AbortSignal | undefined;
  readonly clock: Clock;
  /** The number of the last revision that was read. */
  last: number | undefined;
}

/** The revisions of one connection, or of polling where the service has no events. */
async function* readSome(reader: RevisionReader): AsyncGenerator<RevisionsRecord> {
  const { source, signal } = reader;
  try {
    const response = await source.openEvents(reader.last, signal);
    reader.last ??= Number(response.headers.get('tenor-revision'));
    for await (const data of parseEvents(response, MAX_SILENCE_MS)) {
      const revision = JSON.parse(data) as RevisionsRecord;
      reader.last = revision.revision;
      yield revision;
    }
    throw new TenorError('network', 'the stream of events ended', { url: response.url });
  } catch (error) {
    signal?.throwIfAborted();
    const kind = error instanceof TenorError ? error.kind : undefined;
    if (kind === 'bad_request' && reader.last !== undefined) yield* startAnew(reader);
    else if (kind === 'not_found') yield* poll(reader);
    else throw error;
  }
}

/** The newest revision of a database that replaced one with more revisions. */
async function* startAnew(reader: RevisionReader): AsyncGenerator<RevisionsRecord> {
  reader.source.forgetSeenRevision();
  const [newest] = await reader.source.readRevisions(1, reader.signal);
  reader.last = newest?.revision ?? 0;
  if (newest) yield newest;
}

async function* poll(reader: RevisionReader): AsyncGenerator<RevisionsRecord> {
  const { source, clock, pollMs, signal } = reader;
  const revisions = await source.readRevisions(POLL_LIMIT, signal);
  const last = reader.last ?? revisions[0]?.revision ?? 0;
  reader.last = last;
  for (const revision of revisions.filter(({ revision: number }) => number > last).reverse()) {
    reader.last = revision.revision;
    yield revision;
  }
  await clock.wait(pollMs, signal);
}
