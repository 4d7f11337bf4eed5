export type Fetch = (url: string, init: RequestInit) => Promise<Response>;
/** What is read into memory as a whole, and the most bytes that it can have. */
export type BodyLimit = readonly [name: string, maxBytes: number];
/** Of what has no other: that of the largest of them. */
export declare const BUFFER_LIMIT: BodyLimit;
/** The same response, whose body ends with an error that names it where it is larger than it can be. */
export declare function boundResponse(response: Response, target: string, accept?: string | null, limit?: BodyLimit | undefined): Response;
/** The `fetch` of the platform; that of Bun would inflate all that it receives, however large it gets. */
export declare const fetchInflated: Fetch;
/** A response with its whole body, unless it is one whose parts are read as they come. */
export declare const fetchBuffered: Fetch;
/** The same response with another body. */
export declare function replaceBody(response: Response, body: ReadableStream<Uint8Array>): Response;
