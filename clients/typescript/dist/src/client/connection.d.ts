import type { CallOptions, ResolvedOptions } from './options.ts';
import { ResponseCache } from './response-cache.ts';
import { type TenorResponse } from './response-meta.ts';
/** Sends requests to the service, with the token and a cache of the responses to it. */
export declare class Connection {
    #private;
    constructor(settings: ResolvedOptions, cache?: ResponseCache, seen?: SeenRevision, instant?: string);
    /** The same connection, reading as of that instant. */
    withInstant(instant: string): Connection;
    /** The same connection, which accepts older responses than this one has seen. */
    withoutSeenRevision(): Connection;
    /** Accepts responses that are older than others: the database was replaced. */
    forgetSeenRevision(): void;
    /** Reads a JSON response, revalidating a cached one. */
    read({ href: url }: URL, { signal, count }: CallOptions): Promise<TenorResponse<unknown>>;
    /** Opens a response in another format, whose body can be streamed. */
    open({ href: url }: URL, mediaType: string, { signal, count }: CallOptions): Promise<Response>;
    /** Opens a stream of events after a revision, without retries. */
    openEvents({ href: url }: URL, lastEventId: number | undefined, signal: AbortSignal | undefined): Promise<Response>;
}
/** The newest revision of any response: no later one is older. */
interface SeenRevision {
    newest: number;
}
export {};
