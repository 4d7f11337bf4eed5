/** The JSON of a body; null if it has none. */
export declare function readJson<T>(response: Response): Promise<T | null>;
