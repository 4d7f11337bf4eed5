import type { RevisionsRecord } from '../../../src/client/generated.ts';
import { type Clock } from '../../../src/client/retry.ts';
/** Options of following revisions. */
export interface FollowOptions {
    /** Revisions after this one come first; by default only new ones come. */
    readonly since?: number | undefined;
    /** The interval of polls where a service or proxy has no `/events`; default 30,000. */
    readonly pollMs?: number | undefined;
    /** Ends it; the generator then throws its reason. */
    readonly signal?: AbortSignal | undefined;
}
/** The requests that following sends. */
export interface RevisionSource {
    /** Opens `/events` after a revision; the response has the newest one in `Tenor-Revision`. */
    openEvents(after: number | undefined, signal: AbortSignal | undefined): Promise<Response>;
    /** The newest revisions, newest first. */
    readRevisions(limit: number, signal: AbortSignal | undefined): Promise<readonly RevisionsRecord[]>;
    /** Accepts older revisions than were seen. */
    forgetSeenRevision(): void;
}
/** Each revision as it is published. Ends only by an error that does not pass, or the signal. */
export declare function followRevisions(source: RevisionSource, options: FollowOptions, clock?: Clock): AsyncGenerator<RevisionsRecord, never, undefined>;
