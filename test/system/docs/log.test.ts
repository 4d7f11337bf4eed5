import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVENT_PRIORITIES } from '../../../src/event-log.ts';
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

test('the page about keeping the log has the priority of every event that is more than information', () => {
  const rows = readPage('how-to/keep-the-log.md').matchAll(/^\| (\d) \| \w+ \| (.*) \|$/gm);
  const listed = [...rows].flatMap(([, priority, text = '']) =>
    [...text.matchAll(/`(\w+\.\w+)`/g)].map(([, event]) => [event, Number(priority)]),
  );
  expect(Object.fromEntries(listed)).toEqual({ ...EVENT_PRIORITIES, 'server.found': 4 });
});
