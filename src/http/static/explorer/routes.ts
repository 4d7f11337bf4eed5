import { readFileSync } from 'node:fs';
import embedFile from '../../../explorer/embed.html' with { type: 'file' };
import pageFile from '../../../explorer/page.html' with { type: 'file' };
import { onceAsync } from '../../../memoize.ts';
import type { DocumentRoute } from '../../route.ts';
import { createStaticResponse } from '../static-response.ts';
import { type Bundle, getExplorerBundle } from './bundle.ts';

/** The explorer, a public page that asks for a token. It is bundled at the first request. */
export function createExplorerRoutes(
  getBundle: () => Promise<Bundle> = getExplorerBundle,
): DocumentRoute[] {
  // Their declared type is that of a page to be bundled.
  const html = readFileSync(String(pageFile), 'utf8');
  const page = createStaticResponse('page.html', html, html);
  const embedHtml = readFileSync(String(embedFile), 'utf8');
  const embedPage = createStaticResponse('embed.html', embedHtml, embedHtml, { isFrameable: true });
  const createAssetRoute = (name: keyof Bundle): DocumentRoute => ({
    path: `/explorer/${name}`,
    getDocument: onceAsync(async () => {
      const { [name]: content } = await getBundle();
      return createStaticResponse(name, content, content);
    }),
  });
  return [
    {
      path: '/',
      getDocument: (_, { url }) => (new URL(url).searchParams.has('embed') ? embedPage : page),
    },
    createAssetRoute('main.js'),
    createAssetRoute('embed.js'),
    createAssetRoute('main.css'),
  ];
}
