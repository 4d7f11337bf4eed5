/** A response to be reused if it has not changed. */
export interface CachedResponse {
    readonly etag: string;
    /** Text, so that callers cannot change each other's data. */
    readonly text: string;
    readonly headers: Headers;
}
/**
 * An LRU cache of at most so many characters of bodies. Each client has its own, so that tokens do
 * not share data.
 */
export declare class ResponseCache {
    #private;
    constructor(maxCharacters: number);
    get(key: string): CachedResponse | undefined;
    set(key: string, response: CachedResponse): void;
}
