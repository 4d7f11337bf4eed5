import { LedgerError } from '../ledger/ledger-error.js';
import { TenorError } from './errors.js';
/** Verifies a service or a mirror. If that is not possible, the error is a `TenorError`. */
export async function verify(open, options, firstRevision) {
    const { verifyLedger } = await import('../ledger/verify-ledger.js');
    try {
        return await verifyLedger(open, options, firstRevision);
    }
    catch (cause) {
        if (!(cause instanceof LedgerError))
            throw cause;
        const { kind, message, url } = cause;
        throw new TenorError(kind, message, { url }, { cause });
    }
}
