import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quotes } from '../../../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../../../src/catalogue/index.ts';
import { SCOPES } from '../../../../src/catalogue/model/dataset.ts';
import { openStore } from '../../../../src/store/open-store.ts';
import { issueToken } from '../../../../src/tokens/issue-token.ts';
import { publishAt } from '../../../support/publish-at.ts';
import { quote } from '../../../support/quote-fixture.ts';
import { runTenor } from '../../../support/run-tenor.ts';
import { createTempFolder } from '../../../support/store.ts';
import { openTerminal } from '../../../support/terminal.ts';

/** Sets the title of a terminal, turns text around, and has a C1 control. */
const EVIL = '\u001b]0;owned\u0007\u202e\u009b31m';
const UNSAFE = /[\p{Cc}\u202e]/u;
const LINE_ENDS = /\r*\n/g;
const PROGRESS = /\r[█░]+ +\d+ %/g;

let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  folder = createTempFolder();
  env = { DATABASE_URL: `sqlite:${join(folder, 'x.db')}` };
  const store = await openStore(env.DATABASE_URL as string, catalogue);
  // As an older version, or another program, may have written them.
  const tokens = store.tokens();
  await issueToken(tokens, { name: `a${EVIL}`, scopes: SCOPES, rate: null, expiresAt: null });
  await tokens.recordServerStart?.();
  tokens.close();
  const change = { source: `s${EVIL}\nrow`, author: `b${EVIL}` };
  await publishAt(store, '2026-01-01', quotes, { records: [quote({ symbol: 'A' })], ...change });
  using database = new Database(join(folder, 'x.db'));
  database.run('UPDATE quotes_now SET record = replace(record, ?, ?)', [
    '"A"',
    JSON.stringify(`A${'\u202e'}`),
  ]);
  writeFileSync(join(folder, `f${EVIL}.csv`), `date,symbol,x${EVIL}\n2026-01-01,A${EVIL},1\n`);
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each<readonly [string, () => string[], Record<string, string>]>([
  ['the names of tokens', () => ['token', 'list'], {}],
  ['the names of tokens in JSON', () => ['token', 'list', '--json'], {}],
  ['sources and authors', () => ['revisions'], {}],
  ['sources, authors and records', () => ['revisions', '1'], {}],
  ['sources and authors in JSON', () => ['revisions', '--json'], {}],
  ['records', () => ['export', 'quotes'], {}],
  ['files, columns and values', () => ['load', 'quotes', join(folder, `f${EVIL}.csv`)], {}],
  ['arguments', () => ['load', `q${EVIL}`, 'x'], {}],
  ['options', () => ['token', 'create', '--name', 'a', '--scopes', EVIL], {}],
  ['settings', () => ['settings'], { HOST: EVIL, TLS_CERT: EVIL }],
  ['invalid settings', () => ['token', 'list'], { DATABASE_URL: `sqlite:${EVIL}?` }],
])('%s cannot send escape sequences to a terminal', async (_, args, settings) => {
  const options = { columns: 500, env: { ...env, ...settings, NO_COLOR: '1' } };
  using terminal = openTerminal(args(), options);
  const { screen } = await terminal.wait();
  expect(screen).toMatch(/\\u202e/i);
  const shown = screen.replaceAll('\r\u001b[K', '').replace(PROGRESS, '').replace(LINE_ENDS, '');
  expect(shown).not.toMatch(UNSAFE);
});

test('a line end in a name does not begin another row', async () => {
  const { out } = await runTenor(['revisions'], env);
  expect(out.trimEnd().split('\n')).toHaveLength(2);
});

test.each([
  ['A\u202eB', 'U+202E'],
  ['A\u0085B', 'U+0085'],
  ['A\u200bB', 'U+200B'],
])(
  'tenor load rejects the symbol %j, and names the record and the character',
  async (symbol, name) => {
    const path = join(folder, 'quotes.json');
    writeFileSync(path, JSON.stringify([quote({ symbol: 'OK' }), quote({ symbol })]));
    const { status, err } = await runTenor(['load', 'quotes', path], env);
    expect(status).toBe(1);
    expect(err).toMatch(
      /quotes\.json record 2 .*symbol: .*bidirectional and invisible characters.*/,
    );
    expect(err).toContain(`; it has the character ${name}\n`);
  },
);
