export { Tenor } from './client.js';
export { TenorError } from './errors.js';
