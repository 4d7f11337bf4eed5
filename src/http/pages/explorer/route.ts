import { readFileSync } from 'node:fs';
import type { Answer } from '../../answers/answer.ts';
import type { DocumentRoute } from '../../route.ts';
import { CSS, HTML, pageAnswer, SCRIPT } from '../page.ts';
import { bundle } from './bundle.ts';

/**
 * The explorer: a page that is open to all, and asks for a token itself. It is made from its
 * sources when somebody first looks at it, so that a server nobody looks at makes nothing.
 */
export function explorerRoutes(): DocumentRoute[] {
  const html = readFileSync(new URL('../../../explorer/page.html', import.meta.url), 'utf8');
  const page = pageAnswer(html, HTML, html);
  return [
    { path: '/', document: () => page },
    { path: '/explorer/main.js', document: () => asset('main.js', SCRIPT) },
    { path: '/explorer/main.css', document: () => asset('main.css', CSS) },
  ];
}

/** By name, for all routes of the process: its sources do not change while it runs. */
const assets = new Map<string, Promise<Answer>>();

function asset(name: 'main.js' | 'main.css', type: string): Promise<Answer> {
  const known = assets.get(name);
  if (known) return known;
  const made = bundle().then((files) => pageAnswer(files[name], type, files[name]));
  assets.set(name, made);
  // The next one tries anew.
  made.catch(() => assets.delete(name));
  return made;
}
