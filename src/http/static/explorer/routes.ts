import { readFileSync } from 'node:fs';
import type { HttpResponse } from '../../responses/response.ts';
import type { DocumentRoute } from '../../route.ts';
import {
  CSS_CONTENT_TYPE,
  createStaticResponse,
  HTML_CONTENT_TYPE,
  JAVASCRIPT_CONTENT_TYPE,
} from '../static-response.ts';
import { type Bundle, getExplorerBundle } from './bundle.ts';

/**
 * The explorer: a page that is open to all, and asks for a token itself. It is made from its
 * sources when somebody first looks at it, so that a server nobody looks at makes nothing.
 */
export function createExplorerRoutes(
  make: () => Promise<Bundle> = getExplorerBundle,
): DocumentRoute[] {
  const html = readFileSync(new URL('../../../explorer/page.html', import.meta.url), 'utf8');
  const page = createStaticResponse(html, HTML_CONTENT_TYPE, html);
  return [
    { path: '/', getDocument: () => page },
    {
      path: '/explorer/main.js',
      getDocument: createCachedAsset('main.js', JAVASCRIPT_CONTENT_TYPE, make),
    },
    {
      path: '/explorer/main.css',
      getDocument: createCachedAsset('main.css', CSS_CONTENT_TYPE, make),
    },
  ];
}

/** A file of the bundle, made once: its sources do not change while the service runs. */
function createCachedAsset(name: keyof Bundle, type: string, make: () => Promise<Bundle>) {
  let known: Promise<HttpResponse> | undefined;
  return () => {
    known ??= make().then(
      (files) => createStaticResponse(files[name], type, files[name]),
      (cause) => {
        // The next one tries anew.
        known = undefined;
        throw cause;
      },
    );
    return known;
  };
}
