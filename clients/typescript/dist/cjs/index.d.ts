export { Tenor } from './client.ts';
export type { Correction, Corrections } from './corrections.ts';
export { TenorError, type TenorErrorKind } from './errors.ts';
export type { RecordStream } from './fetch-pages.ts';
export type * from './generated.ts';
export type { CallOptions, Fetch, TenorOptions } from './options.ts';
export type { PagedOperation } from './paged-operation.ts';
export type { ResponseMeta, TenorResponse } from './response-meta.ts';
export type { RevisionChange, RevisionOperation } from './revision.ts';
