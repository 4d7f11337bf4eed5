export {
  type Aligned,
  type AlignedRow,
  type AlignedTableParameters,
  alignedColumn,
} from '../../../src/client/aligned.ts';
export { TenorError, type TenorErrorKind } from '../../../src/client/errors.ts';
export type { RecordStream } from '../../../src/client/fetch-pages.ts';
export type * from '../../../src/client/generated.ts';
export type { CallOptions, Fetch, TenorOptions } from '../../../src/client/options.ts';
export type { ResponseMeta, TenorResponse } from '../../../src/client/response-meta.ts';
export {
  type LedgerProblem,
  type LedgerProblemName,
  VerificationError,
} from '../../../src/ledger/verification-error.ts';
export type { Verification, VerifyOptions } from '../../../src/ledger/verify-ledger.ts';
export type { LogVerification, VerifierState } from '../../../src/ledger/verify-log.ts';
export type { AsOf } from './as-of.ts';
export type { Change, Changes } from './changes.ts';
export { Tenor } from './client.ts';
export type { SyncResult } from './copy-sync.ts';
export type { Correction, Corrections } from './corrections.ts';
export type { DatasetParameters, DatasetRecord, Datasets } from './dataset.ts';
export type { FollowOptions } from './follow.ts';
export type { PagedOperation } from './paged-operation.ts';
export type { RevisionChange, RevisionOperation } from './revision.ts';
export type { VintageMatrix, VintageRow } from './vintage-matrix.ts';
export type { MatrixOptions, Vintage, VintageParameters, Vintages } from './vintages.ts';
