import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DocumentRoute } from '../../route.ts';
import { CSS, HTML, ICON, pageAnswer, SCRIPT, TEXT } from '../page.ts';

/** The API reference: a page that is open to all, and what it needs, all from this service. */
export function docsRoutes(): DocumentRoute[] {
  return Object.entries(files).map(([path, { file, witness, type }]) => {
    const answer = pageAnswer(readFileSync(file), type, readFileSync(witness, 'utf8'));
    return { path, document: () => answer };
  });
}

const files: Readonly<Record<string, Served>> = {
  '/docs': own('page.html', HTML),
  '/docs/docs.css': own('docs.css', CSS),
  '/docs/docs.js': own('docs.js', SCRIPT),
  '/docs/icon.svg': own('icon.svg', ICON),
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
