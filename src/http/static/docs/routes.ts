import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DocumentRoute } from '../../route.ts';
import { createStaticResponse } from '../static-response.ts';

/** The API reference, a public page, with the files that it loads. */
export function createDocsRoutes(): DocumentRoute[] {
  return [
    createRoute('/docs', ownFile('page.html')),
    ...['docs.css', 'docs.js', 'icon.svg'].map((name) =>
      createRoute(`/docs/${name}`, ownFile(name)),
    ),
    ...SWAGGER_UI_FILES.map((name) =>
      createRoute(`/docs/${name}`, swaggerUiFile(name), swaggerUiFile('package.json')),
    ),
  ];
}

const SWAGGER_UI_FILES = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  // The script refers to this file for its licences.
  'swagger-ui-bundle.js.LICENSE.txt',
];

/** `versionFile` is a small file that changes whenever the file does. */
function createRoute(path: string, file: string, versionFile = file): DocumentRoute {
  const version = readFileSync(versionFile, 'utf8');
  const response = createStaticResponse(file, readFileSync(file), version);
  return { path, getDocument: () => response };
}

function ownFile(name: string): string {
  return join(import.meta.dirname, name);
}

function swaggerUiFile(name: string): string {
  return Bun.fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`));
}
