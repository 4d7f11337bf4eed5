import type { LogResponse } from './open-path.ts';
/** The lines of a body, without holding all of it as one text. */
export declare function readLines({ chunks, url, }: LogResponse): AsyncGenerator<string, void, undefined>;
