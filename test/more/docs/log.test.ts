import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPage } from './code-blocks.ts';

const source = readFileSync(join(import.meta.dirname, '../../../src/event-log.ts'), 'utf8');
const page = readPage('reference/log.md');

test('the log page has every event of a server, and no other', () => {
  const declared = [...source.matchAll(/event: '([\w.]+)'/g)].map(([, name]) => name);
  const listed = [...page.matchAll(/^\| `([\w.]+\.\w+)` \|/gm)].map(([, name]) => name);
  expect(declared.length).toBeGreaterThan(20);
  expect(new Set(listed)).toEqual(new Set(declared.filter((name) => name !== 'request')));
});

test('the log page has every key of an event', () => {
  const [, declarations = ''] =
    /(interface RequestEvent[\s\S]*?)export type EmitEvent/.exec(source) ?? [];
  const keys = [...declarations.matchAll(/readonly (\w+)\??:/g)].map(([, key]) => key ?? '');
  expect(keys.length).toBeGreaterThan(40);
  const missing = keys.filter((key) => key !== 'details' && !page.includes(`\`${key}\``));
  expect(missing).toEqual([]);
});
