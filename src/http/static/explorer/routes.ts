import { readFileSync } from 'node:fs';
import { onceAsync } from '../../../memoize.ts';
import type { DocumentRoute } from '../../route.ts';
import {
  CSS_CONTENT_TYPE,
  createStaticResponse,
  HTML_CONTENT_TYPE,
  JAVASCRIPT_CONTENT_TYPE,
} from '../static-response.ts';
import { type Bundle, getExplorerBundle } from './bundle.ts';

/** The explorer, a public page that asks for a token. It is bundled at the first request. */
export function createExplorerRoutes(
  getBundle: () => Promise<Bundle> = getExplorerBundle,
): DocumentRoute[] {
  const html = readFileSync(new URL('../../../explorer/page.html', import.meta.url), 'utf8');
  const page = createStaticResponse(html, HTML_CONTENT_TYPE, html);
  const createAssetRoute = (name: keyof Bundle, type: string): DocumentRoute => ({
    path: `/explorer/${name}`,
    getDocument: onceAsync(async () => {
      const { [name]: content } = await getBundle();
      return createStaticResponse(content, type, content);
    }),
  });
  return [
    { path: '/', getDocument: () => page },
    createAssetRoute('main.js', JAVASCRIPT_CONTENT_TYPE),
    createAssetRoute('main.css', CSS_CONTENT_TYPE),
  ];
}
