import { extname } from 'node:path';
import { createBaseHeaders } from '../responses/cors.ts';
import { computeEtag, type HttpResponse, storableResponse } from '../responses/response.ts';

const CONTENT_TYPES = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.txt', 'text/plain; charset=utf-8'],
]);

/**
 * A public file. `version` is a text that changes whenever the content does. Other sites may show a
 * frameable one in a frame: only what holds no token.
 */
export function createStaticResponse(
  name: string,
  content: Uint8Array<ArrayBuffer> | string,
  version: string,
  { isFrameable = false } = {},
): HttpResponse {
  const extension = extname(name);
  const headers = createBaseHeaders({
    'Content-Type': CONTENT_TYPES.get(extension) ?? '',
    'Cache-Control': 'no-cache',
    Vary: 'Accept-Encoding',
    ...ISOLATION_HEADERS,
  });
  if (isFrameable) headers.set('Cross-Origin-Resource-Policy', 'cross-origin');
  if (extension === '.html')
    headers.set(CONTENT_SECURITY_POLICY, buildContentSecurityPolicy(isFrameable ? '*' : "'none'"));
  // In memory, 2 MB in all: Bun would handle a Range on a file by itself.
  return storableResponse(new Blob([content]), headers, { etag: computeEtag(version) });
}

/** Pages hold a token: no other site may embed them, open their window, or get their URL. */
const ISOLATION_HEADERS = {
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': [
    ...['accelerometer', 'camera', 'display-capture', 'geolocation', 'gyroscope'],
    ...['magnetometer', 'microphone', 'midi', 'payment', 'usb'],
  ]
    .map((feature) => `${feature}=()`)
    .join(', '),
};

/** The same page, whose scripts may also connect to another origin. */
export function allowConnections(page: HttpResponse, origin: string): HttpResponse {
  const headers = new Headers(page.headers);
  const policy = headers.get(CONTENT_SECURITY_POLICY) ?? '';
  headers.set(
    CONTENT_SECURITY_POLICY,
    policy.replace(OWN_CONNECTIONS, `${OWN_CONNECTIONS} ${origin}`),
  );
  const { variants: _, ...others } = page;
  return { ...others, headers };
}

const CONTENT_SECURITY_POLICY = 'Content-Security-Policy';
const OWN_CONNECTIONS = "connect-src 'self'";

function buildContentSecurityPolicy(frameAncestors: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    OWN_CONNECTIONS,
    "font-src 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frameAncestors}`,
    "form-action 'none'",
  ].join('; ');
}
