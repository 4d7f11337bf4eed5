import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = 'clients/python/tenor_client';

/** Each word of the client for asyncio that another one stands for without it. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\basync (def|with|for) /g, '$1 '],
  [/\bawait /g, ''],
  [/\bStopAsyncIteration\b/g, 'StopIteration'],
  [/\bAsync(?=[A-Z])/g, ''],
  [/\b__a(enter|exit|next|iter)__\b/g, '__$1__'],
  [/\basynccontextmanager\b/g, 'contextmanager'],
  [/\baiter_/g, 'iter_'],
  [/\baclose\b/g, 'close'],
  [/\basyncio\.sleep\b/g, 'time.sleep'],
  [/^import asyncio$/gm, 'import time'],
  [/^IS_ASYNC = True$/gm, 'IS_ASYNC = False'],
  [/, for asyncio\b/g, ''],
  [/\basync with\b/g, 'with'],
];

const NOTE = '# Made by npm run docs from tenor_client/_async. Changes here are lost.\n';

/** The modules of the client without asyncio, by their paths, made of those with it. */
export function generateSyncModules(
  root: string,
  generated: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const names = readdirSync(join(root, PACKAGE, '_async')).filter((name) => name.endsWith('.py'));
  return Object.fromEntries(
    names.map((name) => {
      const path = `${PACKAGE}/_async/${name}`;
      const text = generated[path] ?? readFileSync(join(root, path), 'utf8');
      const note = path in generated ? '' : NOTE;
      return [`${PACKAGE}/_sync/${name}`, note + toSync(text)];
    }),
  );
}

/** Python for one thread that waits, of Python for an event loop. */
export function toSync(text: string): string {
  const result = WORDS.reduce((each, [pattern, word]) => each.replace(pattern, word), text);
  return result.replace(
    /^(from typing import )(.*)$/gm,
    (_, start, names: string) => start + [...new Set(names.split(', '))].sort().join(', '),
  );
}
