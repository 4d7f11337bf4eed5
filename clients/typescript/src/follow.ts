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

/** What following needs of a connection. */
export interface RevisionSource {
  /** Opens `/events` after a revision; the response has the newest one in `Tenor-Revision`. */
  openEvents(after: number | undefined, signal: AbortSignal | undefined): Promise<Response>;
  /** The newest revisions, newest first. */
  readRevisions(signal: AbortSignal | undefined): Promise<readonly RevisionsRecord[]>;
}

/** The service sends a comment every 15 seconds. */
const MAX_SILENCE_MS = 45_000;

const TEMPORARY: ReadonlySet<TenorErrorKind> = new Set([
  'network',
  'timeout',
  'too_many_requests',
  'temporarily_unavailable',
]);

/** Each revision as it is published. Ends only by an error that does not pass, or the signal. */
export async function* followRevisions(
  source: RevisionSource,
  { since, pollMs = 30_000, signal }: FollowOptions,
  clock: Clock = SYSTEM_CLOCK,
): AsyncGenerator<RevisionsRecord, never, undefined> {
  let last = since;
  let failures = 0;
  for (;;) {
    try {
      const response = await source.openEvents(last, signal);
      last ??= Number(response.headers.get('tenor-revision'));
      for await (const data of parseEvents(response, MAX_SILENCE_MS)) {
        const revision = JSON.parse(data) as RevisionsRecord;
        failures = 0;
        last = revision.revision;
        yield revision;
      }
      signal?.throwIfAborted();
      await clock.wait(getBackoffMs(++failures, clock.random()), signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof TenorError)) throw error;
      if (error.kind === 'bad_request' && last !== undefined) {
        // The database was replaced by one with fewer revisions.
        last = undefined;
      } else if (error.kind === 'not_found') {
        const revisions = await source.readRevisions(signal);
        const known = last ?? revisions[0]?.revision ?? 0;
        yield* revisions.filter(({ revision }) => revision > known).reverse();
        last = Math.max(known, ...revisions.map(({ revision }) => revision));
        await clock.wait(pollMs, signal);
      } else if (TEMPORARY.has(error.kind)) {
        const backoffMs = getBackoffMs(++failures, clock.random());
        await clock.wait(Math.max(error.retryAfterMs ?? 0, backoffMs), signal);
      } else throw error;
    }
  }
}
