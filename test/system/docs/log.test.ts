import { expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EVENT_PRIORITIES } from '../../../src/event-log.ts';
import { AuditLog } from '../../../src/http/pipeline/audit-log.ts';
import { runTenor } from '../../support/run-tenor.ts';
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

/** One line of each kind. */
function writeAuditLog(path: string): void {
  const log = new AuditLog(path, () => {});
  const exchange = {
    requestId: 'r',
    method: 'GET',
    principal: { id: 'tk_1' },
    route: { path: '/2.0/bnb/quote' },
    target: { path: '/2.0/bnb/quote', parameters: [] },
    getAddress: () => '192.0.2.7',
    getCredential: () => undefined,
  };
  const respond = (status: number) => ({ status, body: null, headers: new Headers(), revision: 1 });
  log.recordRead(exchange, respond(200));
  log.recordEnd(exchange, 1, true);
  log.recordGuess(exchange, respond(401));
  log.recordGuess(exchange, respond(429));
  log.close();
}

test('the page about keeping the log has each kind of line of the audit log, and what a check of it prints', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenor-test-'));
  const path = join(folder, 'audit.log');
  writeAuditLog(path);
  const lines = readFileSync(path, 'utf8').split('\n');
  const text = readPage('how-to/keep-the-log.md');
  const listKeys = (line: string) => Object.keys(JSON.parse(line));
  const shown = [...text.matchAll(/^\{"time":"…","chain".*$/gm)].map(([line]) => listKeys(line));
  expect(shown).toEqual(lines.slice(0, -1).map(listKeys));
  writeFileSync(path, lines.with(2, lines[2]?.replace('tk_1', 'tk_2') ?? '').join('\n'));
  const { out, status } = await runTenor(['check', '--audit', path]);
  const { chain } = JSON.parse(lines[0] ?? '');
  const printed = out.replace(path, '/var/log/tenor/audit.log').replace(chain, 'kq3N…');
  expect([status, text]).toEqual([1, expect.stringContaining(`\`\`\`text\n${printed}\`\`\``)]);
  rmSync(folder, { recursive: true });
});
