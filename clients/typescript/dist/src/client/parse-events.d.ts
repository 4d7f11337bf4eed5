/**
 * The data of each event `revision` of a stream of events. Ends with the stream; throws a
 * `TenorError` of the kind `network` if it breaks off, or is silent for too long.
 */
export declare function parseEvents(response: Response, maxSilenceMs: number): AsyncGenerator<string, void, undefined>;
