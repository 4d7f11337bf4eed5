import { readFileSync } from 'node:fs';
import embedFile from '../../../explorer/embed.html' with { type: 'file' };
import pageFile from '../../../explorer/page.html' with { type: 'file' };
import { memoize, memoizeByIdentity, onceAsync } from '../../../shared/memoize.ts';
import type { SignIn } from '../../../shared/sign-in.ts';
import type { DocumentRoute } from '../../pipeline/route.ts';
import {
  createJsonHeaders,
  type HttpResponse,
  NOT_FOUND_RESPONSE,
} from '../../responses/response.ts';
import { allowConnections, createStaticResponse } from '../static-response.ts';
import { type Bundle, getExplorerBundle } from './bundle.ts';

/** The explorer, a public page that asks for a token. It is bundled at the first request. */
export function createExplorerRoutes(
  getBundle: () => Promise<Bundle> = getExplorerBundle,
  /** How to sign in at an OpenID provider, if that is possible. */
  getSignIn: () => SignIn | undefined = () => undefined,
): DocumentRoute[] {
  // Their declared type is that of a page to be bundled.
  const html = readFileSync(String(pageFile), 'utf8');
  const createPage = (content: string) => createStaticResponse('page.html', content, content);
  // Without scripts, the page says what to do.
  const plainPage = createPage(html);
  const getPage = onceAsync(async () => createPage(preloadShared(html, await getBundle())));
  const embedHtml = readFileSync(String(embedFile), 'utf8');
  const embedPage = createStaticResponse('embed.html', embedHtml, embedHtml, { isFrameable: true });
  const createAssetRoute = (name: keyof Bundle): DocumentRoute => {
    const getResponse = onceAsync(async () => {
      const { [name]: content } = await getBundle();
      return createStaticResponse(name, content, content);
    });
    return {
      path: `/explorer/${name}`,
      async getDocument({ url }) {
        const search = getSearch(url);
        const isVersioned = search.startsWith(VERSION_PREFIX);
        if (isVersioned && isOutdated(`${name}${search}`, await getBundle()))
          return NOT_FOUND_RESPONSE;
        return getResponse();
      },
    };
  };
  return [
    {
      path: '/',
      async getDocument({ url }) {
        if (new URLSearchParams(getSearch(url)).has('embed')) return embedPage;
        const page = await getPage().catch(() => plainPage);
        const signIn = getSignIn();
        return signIn ? allowTokenEndpoint(page)(new URL(signIn.tokenEndpoint).origin) : page;
      },
    },
    createAssetRoute('main.js'),
    createAssetRoute('shared.js'),
    createAssetRoute('other-views.js'),
    createAssetRoute('write-workbook.js'),
    createAssetRoute('embed.js'),
    createAssetRoute('main.css'),
  ];
}

/** How a page signs in at an OpenID provider: null if it cannot. */
export function createSignInRoute(
  getSignIn: () => SignIn | undefined = () => undefined,
): DocumentRoute {
  return {
    path: '/sign-in.json',
    getDocument() {
      const body = new Blob([JSON.stringify(getSignIn() ?? null)]);
      return { status: 200, body, headers: createJsonHeaders('no-cache'), revision: null };
    },
  };
}

/** The query of a URL with its question mark, even if the host in the URL is not valid. */
function getSearch(url: string): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start);
}

const VERSION_PREFIX = '?v=';

/** Whether no script of this version asks for it: a page of another one does. */
function isOutdated(versionedName: string, bundle: Bundle): boolean {
  return !Object.values(bundle).some((content) => content.includes(versionedName));
}

/** Once for each page and origin, so that it is compressed once. */
const allowTokenEndpoint = memoizeByIdentity((page: HttpResponse) =>
  memoize(10, (origin: string) => allowConnections(page, origin)),
);

/** A page that loads the scripts of the first view together, not one after the other. */
function preloadShared(html: string, { 'main.js': main }: Bundle): string {
  const [shared] = /shared\.js\?v=\w+/.exec(main) ?? [];
  if (shared === undefined) return html;
  return html.replace(
    '</head>',
    `  <link rel="modulepreload" href="explorer/${shared}">\n  </head>`,
  );
}
