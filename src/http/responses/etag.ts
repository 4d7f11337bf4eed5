import { VERSION } from '../../version.ts';

/** Another version of the program or of Bun may write the same records in other bytes. */
const ETAG_SEED = Bun.hash.xxHash3(`${VERSION} ${Bun.version}`);

interface EtagOptions {
  /** Comes after the hash: the format, where it is not JSON. */
  readonly suffix?: string | undefined;
  /** A text that the response depends on besides its content. */
  readonly dependency?: string | undefined;
}

/** A strong entity tag for a response with this content. */
export function computeEtag(content: string, { suffix, dependency }: EtagOptions = {}): string {
  // The dependency is hashed into the seed: joining the texts would copy megabytes.
  const seed = dependency ? Bun.hash.xxHash3(dependency, ETAG_SEED) : ETAG_SEED;
  const hash = Bun.hash.xxHash3(content, seed).toString(36);
  return suffix === undefined ? `"${hash}"` : `"${hash}-${suffix}"`;
}

/** The entity tag of the same response in a content encoding. */
export function etagForEncoding(etag: string, encoding: string): string {
  return `${etag.slice(0, -1)}-${encoding}"`;
}
