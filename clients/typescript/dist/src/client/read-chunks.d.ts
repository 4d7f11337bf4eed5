/** The bytes of a body as they come; throws if it is interrupted, or silent for too long. */
export declare function readChunks(response: Response, maxSilenceMs?: number): AsyncGenerator<Uint8Array, void, undefined>;
