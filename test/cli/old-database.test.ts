import { expect, test } from 'bun:test';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../../src/cli/commands/index.ts';
import { runTenor } from '../support/run-tenor.ts';
import { runSqlite } from '../support/store.ts';
import { createPublishingWorkspace, ONLINE } from './publishing-workspace.ts';

const { workspace, run, writeFile } = createPublishingWorkspace();

/** Arguments with which each command opens the database; null if it opens none. */
const ARGUMENTS: Readonly<Record<string, readonly string[] | null>> = {
  serve: [],
  load: [ONLINE, 'FILE'],
  retire: [ONLINE, 'FILE'],
  revisions: [],
  revert: ['1'],
  inspect: null,
  publish: ['--due'],
  check: [],
  status: [],
  health: null,
  backup: ['copy.db'],
  export: [ONLINE],
  mirror: ['copies'],
  notify: ['--hook', 'https://x.example', '--secret-file', 'SECRET', '--state', 'state.json'],
  query: [ONLINE],
  verify: ['--log-only'],
  migrate: [],
  move: ['--to', 'sqlite:copy.db'],
  settings: null,
  'dataset declare': ['DECLARATION'],
  'dataset list': [],
  'dataset show': ['elsewhere'],
  'dataset rename-code': ['elsewhere', 'region', 'a', 'b'],
  'dataset retire': ['elsewhere'],
  'candidate list': [],
  'candidate show': ['1'],
  'candidate approve': ['1'],
  'candidate publish': ['1'],
  'candidate withdraw': ['1'],
  'review require': [ONLINE, '1'],
  'review list': [],
  'token create': ['--name', 'ann'],
  'token list': [],
  'token revoke': ['tk_1'],
  'token rotate': ['tk_1'],
  'link create': [`/3.0/alternate/${ONLINE}`, '--name', 'desk'],
  'link list': [],
  'link revoke': ['ln_1'],
  'ledger key': [],
  'ledger rotate-key': [],
  'ledger restart': ['--lost-key'],
};

const DECLARATION = {
  name: 'elsewhere',
  title: 'Elsewhere',
  description: 'Of elsewhere.',
  period: 'year',
  measures: [{ name: 'total', description: 'Total', unit: 'number' }],
};

test('the table has every command', () => {
  expect(Object.keys(ARGUMENTS).toSorted()).toEqual(Object.keys(COMMANDS).toSorted());
});

test.each([
  [20, /its schema is version 20, from before the first release, .* load its data into a new data/],
  [99, /its schema is version 99, and this Tenor knows versions up to \d+; use a newer Tenor/],
])(
  'a database of schema %d without a private folder, which came with the first release, is rejected for its schema by every command',
  async (version, message) => {
    const path = join(workspace.folder, 'x.db');
    runSqlite(path, `PRAGMA user_version = ${version}`);
    renameSync(`${path}.private`, join(workspace.folder, 'elsewhere'));
    const files: Record<string, string> = {
      FILE: writeFile('years.csv', 'year,cash_wtl\n2023,1\n'),
      SECRET: writeFile('secret', `whsec_${Buffer.alloc(32).toString('base64')}\n`),
      DECLARATION: writeFile('declaration.json', JSON.stringify(DECLARATION)),
    };
    const migrated = await run('migrate');
    expect([migrated.status, migrated.out, migrated.err]).toEqual([
      1,
      '',
      expect.stringMatching(message),
    ]);
    const differing: unknown[] = [];
    for (const [command, args] of Object.entries(ARGUMENTS)) {
      if (!args) continue;
      const line = [...command.split(' '), ...args.map((text) => files[text] ?? text)];
      const options = { isRejected: true, cwd: workspace.folder };
      const rejected = await runTenor(line, workspace.env, options);
      // A verification that is not possible has a status of its own.
      const expected = { ...migrated, status: command === 'verify' ? 2 : 1 };
      if (!Bun.deepEquals(rejected, expected)) differing.push([line, rejected]);
    }
    expect(differing).toEqual([]);
  },
);
