import { LedgerError } from '../ledger/ledger-error.ts';
import type { OpenPath } from '../ledger/open-path.ts';
import type { Verification, VerifyOptions } from '../ledger/verify-ledger.ts';
import { TenorError } from './errors.ts';

/** Verifies a service or a mirror. If that is not possible, the error is a `TenorError`. */
export async function verify(
  open: OpenPath,
  options?: VerifyOptions,
  firstRevision?: number,
): Promise<Verification> {
  const { verifyLedger } = await import('../ledger/verify-ledger.ts');
  try {
    return await verifyLedger(open, options, firstRevision);
  } catch (cause) {
    if (!(cause instanceof LedgerError)) throw cause;
    const { kind, message, url } = cause;
    throw new TenorError(kind, message, { url }, { cause });
  }
}
