import { createCorsHeaders } from '../responses/cors.ts';
import { computeEtag } from '../responses/etag.ts';
import type { HttpResponse } from '../responses/response.ts';

export const HTML_CONTENT_TYPE = 'text/html; charset=utf-8';
export const CSS_CONTENT_TYPE = 'text/css; charset=utf-8';
export const JAVASCRIPT_CONTENT_TYPE = 'text/javascript; charset=utf-8';
export const SVG_CONTENT_TYPE = 'image/svg+xml';
export const TEXT_CONTENT_TYPE = 'text/plain; charset=utf-8';

/** A public file. `version` is a text that changes whenever the content does. */
export function createStaticResponse(
  content: Uint8Array<ArrayBuffer> | string,
  type: string,
  version: string,
): HttpResponse {
  const etag = computeEtag(version);
  const headers = createCorsHeaders();
  headers.set('Content-Type', type);
  headers.set('Cache-Control', 'no-cache');
  headers.set('Vary', 'Accept-Encoding');
  headers.set('ETag', etag);
  headers.set('X-Content-Type-Options', 'nosniff');
  headers.set('Referrer-Policy', 'no-referrer');
  if (type === HTML_CONTENT_TYPE) headers.set('Content-Security-Policy', CONTENT_SECURITY_POLICY);
  // In memory, 2 MB in all: Bun would handle a Range on a file by itself.
  const body = new Blob([content]);
  return { status: 200, body, headers, revision: null, validators: { etag }, isCompressible: true };
}

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'none'",
].join('; ');
