export { alignedColumn, } from './aligned.js';
export { Tenor } from './client.js';
export { TenorError } from './errors.js';
