export { Tenor } from './client.ts';
export type { Correction, Corrections } from './corrections.ts';
export { type FailureKind, TenorError } from './errors.ts';
export type * from './generated.ts';
export type { Listing } from './listing.ts';
export type { Answer, Meta } from './meta.ts';
export type { CallOptions, Fetch, TenorOptions } from './options.ts';
export type { Records } from './pages.ts';
