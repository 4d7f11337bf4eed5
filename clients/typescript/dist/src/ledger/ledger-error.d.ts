/** A log that cannot be verified, although nothing it says is wrong. */
export declare class LedgerError extends Error {
    readonly kind: 'behind' | 'malformed' | 'unsupported';
    readonly url: string;
    readonly name = "LedgerError";
    constructor(kind: 'behind' | 'malformed' | 'unsupported', message: string, url?: string, options?: ErrorOptions);
}
