/** The fields that identify a record. One of a series is identified by its texts: its period and its dimensions. */
export declare function listKeyFields(dataset: string, record: Readonly<Record<string, unknown>>): readonly string[];
export declare const KEY_FIELDS: ReadonlyMap<string, readonly string[]>;
