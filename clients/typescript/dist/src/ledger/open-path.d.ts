/**
 * Requests a path of a service or a mirror. Rejects with an error that has the `status` of any but
 * 200.
 */
export type OpenPath = (path: string, mediaType: string) => Promise<LogResponse>;
export interface LogResponse extends Response {
    /** The cursor of the next page; undefined on the last one. */
    readonly cursor: string | undefined;
    /** The body as it comes. If it is interrupted, the error has the kind `network` and a status. */
    readonly chunks: AsyncIterable<Uint8Array>;
}
