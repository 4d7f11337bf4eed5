import { readFileSync } from 'node:fs';
import type { Answer } from '../../answers/answer.ts';
import type { DocumentRoute } from '../../route.ts';
import { CSS, HTML, pageAnswer, SCRIPT } from '../page.ts';
import { type Bundle, bundle } from './bundle.ts';

/**
 * The explorer: a page that is open to all, and asks for a token itself. It is made from its
 * sources when somebody first looks at it, so that a server nobody looks at makes nothing.
 */
export function explorerRoutes(make: () => Promise<Bundle> = bundle): DocumentRoute[] {
  const html = readFileSync(new URL('../../../explorer/page.html', import.meta.url), 'utf8');
  const page = pageAnswer(html, HTML, html);
  return [
    { path: '/', document: () => page },
    { path: '/explorer/main.js', document: kept('main.js', SCRIPT, make) },
    { path: '/explorer/main.css', document: kept('main.css', CSS, make) },
  ];
}

/** A file of the bundle, made once: its sources do not change while the service runs. */
function kept(name: keyof Bundle, type: string, make: () => Promise<Bundle>) {
  let known: Promise<Answer> | undefined;
  return () => {
    known ??= make().then(
      (files) => pageAnswer(files[name], type, files[name]),
      (cause) => {
        // The next one tries anew.
        known = undefined;
        throw cause;
      },
    );
    return known;
  };
}
