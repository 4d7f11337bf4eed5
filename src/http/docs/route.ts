import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openHeaders } from '../answers/answer.ts';
import { etagOf } from '../answers/etag.ts';
import type { DocumentRoute } from '../route.ts';

/** The API reference: a page that is open to all, and what it needs, all from this service. */
export function docsRoutes(): DocumentRoute[] {
  return Object.entries(files).map(([path, { file, witness, type }]) => {
    const etag = etagOf(readFileSync(witness, 'utf8'));
    const headers = openHeaders();
    headers.set('Content-Type', type);
    headers.set('Cache-Control', 'no-cache');
    headers.set('Vary', 'Accept-Encoding');
    headers.set('ETag', etag);
    headers.set('X-Content-Type-Options', 'nosniff');
    headers.set('Referrer-Policy', 'no-referrer');
    if (type === HTML) headers.set('Content-Security-Policy', POLICY);
    // In memory, 2 MB in all: Bun would answer a Range on a file by itself, in a way of its own.
    const body = new Blob([readFileSync(file)]);
    const validators = { etag };
    const document = {
      status: 200,
      body,
      headers,
      revision: null,
      validators,
      isCompressible: true,
    };
    return { path, document };
  });
}

/** Nothing inline, nothing evaluated, nothing from or to another host, and in nobody's frame. */
const POLICY = [
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

const HTML = 'text/html; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';

const files: Readonly<Record<string, Served>> = {
  '/docs': own('page.html', HTML),
  '/docs/docs.css': own('docs.css', CSS),
  '/docs/docs.js': own('docs.js', SCRIPT),
  '/docs/icon.svg': own('icon.svg', 'image/svg+xml'),
  '/docs/swagger-ui.css': library('swagger-ui.css', CSS),
  '/docs/swagger-ui-bundle.js': library('swagger-ui-bundle.js', SCRIPT),
  // The script names this as the place of its licences.
  '/docs/swagger-ui-bundle.js.LICENSE.txt': library('swagger-ui-bundle.js.LICENSE.txt', TEXT),
};

interface Served {
  readonly file: string;
  /** A small file that changes whenever the file does. */
  readonly witness: string;
  readonly type: string;
}

function own(name: string, type: string): Served {
  const file = join(import.meta.dirname, name);
  return { file, witness: file, type };
}

function library(name: string, type: string): Served {
  const within = (path: string) =>
    Bun.fileURLToPath(import.meta.resolve(`swagger-ui-dist/${path}`));
  // It names the version, and a version of a package never changes.
  return { file: within(name), witness: within('package.json'), type };
}
