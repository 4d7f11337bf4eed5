import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DocumentRoute } from '../../route.ts';
import {
  CSS_CONTENT_TYPE,
  createStaticResponse,
  HTML_CONTENT_TYPE,
  JAVASCRIPT_CONTENT_TYPE,
  SVG_CONTENT_TYPE,
  TEXT_CONTENT_TYPE,
} from '../static-response.ts';

/** The API reference, a public page, with the files that it loads. */
export function createDocsRoutes(): DocumentRoute[] {
  return Object.entries(DOCS_FILES).map(([path, { file, versionFile, type }]) => {
    const response = createStaticResponse(
      readFileSync(file),
      type,
      readFileSync(versionFile, 'utf8'),
    );
    return { path, getDocument: () => response };
  });
}

const DOCS_FILES: Readonly<Record<string, StaticFile>> = {
  '/docs': ownFile('page.html', HTML_CONTENT_TYPE),
  '/docs/docs.css': ownFile('docs.css', CSS_CONTENT_TYPE),
  '/docs/docs.js': ownFile('docs.js', JAVASCRIPT_CONTENT_TYPE),
  '/docs/icon.svg': ownFile('icon.svg', SVG_CONTENT_TYPE),
  '/docs/swagger-ui.css': swaggerUiFile('swagger-ui.css', CSS_CONTENT_TYPE),
  '/docs/swagger-ui-bundle.js': swaggerUiFile('swagger-ui-bundle.js', JAVASCRIPT_CONTENT_TYPE),
  // The script refers to this file for its licences.
  '/docs/swagger-ui-bundle.js.LICENSE.txt': swaggerUiFile(
    'swagger-ui-bundle.js.LICENSE.txt',
    TEXT_CONTENT_TYPE,
  ),
};

interface StaticFile {
  readonly file: string;
  /** A small file that changes whenever the file does. */
  readonly versionFile: string;
  readonly type: string;
}

function ownFile(name: string, type: string): StaticFile {
  const file = join(import.meta.dirname, name);
  return { file, versionFile: file, type };
}

function swaggerUiFile(name: string, type: string): StaticFile {
  const resolve = (path: string) =>
    Bun.fileURLToPath(import.meta.resolve(`swagger-ui-dist/${path}`));
  return { file: resolve(name), versionFile: resolve('package.json'), type };
}
