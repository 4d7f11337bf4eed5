import type { OpenPath } from '../ledger/open-path.ts';
import type { Verification, VerifyOptions } from '../ledger/verify-ledger.ts';
/** Verifies a service or a mirror. If that is not possible, the error is a `TenorError`. */
export declare function verify(open: OpenPath, options?: VerifyOptions, firstRevision?: number): Promise<Verification>;
