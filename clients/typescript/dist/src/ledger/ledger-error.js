/** A log that cannot be verified, although nothing it says is wrong. */
export class LedgerError extends Error {
    kind;
    url;
    name = 'LedgerError';
    constructor(kind, message, url = '', options) {
        super(message, options);
        this.kind = kind;
        this.url = url;
    }
}
