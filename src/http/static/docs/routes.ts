import { readFileSync } from 'node:fs';
import swaggerUiManifest from 'swagger-ui-dist/package.json' with { type: 'json' };
import swaggerUiStyle from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' };
import swaggerUiScript from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' };
import swaggerUiLicences from 'swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt' with {
  type: 'file',
};
import type { DocumentRoute } from '../../pipeline/route.ts';
import { createStaticResponse } from '../static-response.ts';
import style from './docs.css' with { type: 'file' };
import script from './docs.js' with { type: 'file' };
import icon from './icon.svg' with { type: 'file' };
import page from './page.html' with { type: 'file' };

/** The API reference, a public page, with the files that it loads. */
export function createDocsRoutes(): DocumentRoute[] {
  const swaggerUiVersion = `swagger-ui-dist ${swaggerUiManifest.version}`;
  return [
    // Its declared type is that of a page to be bundled.
    createRoute('/docs', String(page)),
    createRoute('/docs/docs.css', style),
    createRoute('/docs/docs.js', script),
    createRoute('/docs/icon.svg', icon),
    createRoute('/docs/swagger-ui.css', swaggerUiStyle, swaggerUiVersion),
    createRoute('/docs/swagger-ui-bundle.js', swaggerUiScript, swaggerUiVersion),
    // The script refers to this file for its licences.
    createRoute('/docs/swagger-ui-bundle.js.LICENSE.txt', swaggerUiLicences, swaggerUiVersion),
  ];
}

/** `version` is a text that changes whenever the file does. */
function createRoute(path: string, file: string, version?: string): DocumentRoute {
  const content = readFileSync(file);
  const response = createStaticResponse(file, content, version ?? content.toString());
  return { path, getDocument: () => response };
}
