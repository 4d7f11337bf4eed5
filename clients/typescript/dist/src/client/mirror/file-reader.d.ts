import { type TenorOptions } from '../options.ts';
import type { ReadFile } from './mirror-files.ts';
type ReaderOptions = Pick<TenorOptions, 'timeoutMs' | 'tries' | 'totalMs' | 'fetch'>;
/** Reads files of a mirror at an address, with retries; each with its whole body. */
export declare function createFileReader(address: string | URL, options: ReaderOptions): ReadFile;
export {};
