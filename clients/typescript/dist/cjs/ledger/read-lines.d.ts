/** The lines of a body, without holding all of it as one text. */
export declare function readLines(response: Response): AsyncGenerator<string, void, undefined>;
