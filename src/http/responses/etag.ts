import { VERSION } from '../../version.ts';

/** Another version, or another Bun, may write the same records in other bytes. */
const ETAG_SEED = Bun.hash.xxHash64(`${VERSION} ${Bun.version}`);

/**
 * A strong entity tag for what a body is made from, and for what else it depends on; the way it is
 * made comes behind a dash.
 */
export function computeEtag(content: string, way?: string, beside = ''): string {
  // By its seed: put together into one text, megabytes would be copied for it.
  const seed = beside === '' ? ETAG_SEED : Bun.hash.xxHash64(beside, ETAG_SEED);
  const hash = Bun.hash.xxHash64(content, seed).toString(36);
  return way === undefined ? `"${hash}"` : `"${hash}-${way}"`;
}

/** The tag of the same answer in another encoding. */
export function etagForEncoding(etag: string, encoding: string): string {
  return `${etag.slice(0, -1)}-${encoding}"`;
}
