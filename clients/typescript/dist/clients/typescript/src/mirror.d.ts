export { Mirror, type MirrorAsOf, type MirrorDatasetParameters, type MirrorOptions, type MirrorQuotesParameters, } from './mirror/mirror.ts';
