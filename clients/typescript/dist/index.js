export { alignedColumn, } from './aligned.js';
export { Tenor } from './client.js';
export { TenorError } from './errors.js';
export { VerificationError, } from './ledger/verification-error.js';
