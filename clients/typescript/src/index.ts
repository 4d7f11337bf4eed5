export {
  type Aligned,
  type AlignedRow,
  type AlignedTableParameters,
  alignedColumn,
} from './aligned.ts';
export type { AsOf } from './as-of.ts';
export type { Change, Changes } from './changes.ts';
export { Tenor } from './client.ts';
export type { SyncResult } from './copy-sync.ts';
export type { Correction, Corrections } from './corrections.ts';
export type { DatasetParameters, DatasetRecord, Datasets } from './dataset.ts';
export { TenorError, type TenorErrorKind } from './errors.ts';
export type { RecordStream } from './fetch-pages.ts';
export type { FollowOptions } from './follow.ts';
export type * from './generated.ts';
export {
  type LedgerProblem,
  type LedgerProblemName,
  VerificationError,
} from './ledger/verification-error.ts';
export type { Verification, VerifyOptions } from './ledger/verify.ts';
export type { LogVerification, VerifierState } from './ledger/verify-log.ts';
export type { CallOptions, Fetch, TenorOptions } from './options.ts';
export type { PagedOperation } from './paged-operation.ts';
export type { ResponseMeta, TenorResponse } from './response-meta.ts';
export type { RevisionChange, RevisionOperation } from './revision.ts';
export type { VintageMatrix, VintageRow } from './vintage-matrix.ts';
export type { MatrixOptions, Vintage, VintageParameters, Vintages } from './vintages.ts';
