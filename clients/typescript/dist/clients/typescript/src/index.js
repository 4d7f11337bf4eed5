export { alignedColumn, } from '../../../src/client/aligned.js';
export { TenorError } from '../../../src/client/errors.js';
export { VerificationError, } from '../../../src/ledger/verification-error.js';
export { Tenor } from './client.js';
