export { Tenor } from './client.ts';
export type { Correction, Corrections } from './corrections.ts';
export { TenorError, type TenorErrorKind } from './errors.ts';
export type * from './generated.ts';
export type { PagedOperation } from './listing.ts';
export type { ResponseMeta, TenorResponse } from './meta.ts';
export type { CallOptions, Fetch, TenorOptions } from './options.ts';
export type { RecordStream } from './pages.ts';
