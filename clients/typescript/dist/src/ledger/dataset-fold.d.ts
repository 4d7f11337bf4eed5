/** The records of a dataset that its changes make, one after the other. */
export declare class DatasetFold {
    #private;
    constructor(dataset: string);
    /** Begins with records as they are. */
    begin(lines: AsyncIterable<string>): Promise<void>;
    /** Applies the changes of a revision. */
    apply(lines: readonly string[]): void;
    /** Compares an export with the records, and returns how many there are. Throws if they differ. */
    compare(lines: AsyncIterable<string>): Promise<number>;
}
