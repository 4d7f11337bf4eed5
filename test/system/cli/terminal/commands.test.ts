import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { COMMANDS } from '../../../../src/cli/commands/index.ts';
import { runTenorProcess } from '../../../support/run-tenor.ts';
import {
  CTRL_C,
  describeEnd,
  IN_ORDER,
  openTerminal,
  type TerminalSession,
} from '../../../support/terminal.ts';
import {
  CSV_HEADER,
  createTerminalWorkspace,
  SERIES,
} from '../../../support/terminal-workspace.ts';

const createFolder = createTerminalWorkspace();

interface TerminalCase {
  readonly args: readonly string[];
  /** What the terminal shows. */
  readonly shows: RegExp;
  readonly status?: number;
  /** Whether its lines fit the terminal; sentences and files are wrapped by the terminal. */
  readonly isTable?: true;
  /** A command that is run first. */
  readonly before?: readonly string[];
  readonly act?: (terminal: TerminalSession) => Promise<void>;
}

/** Stands for a file with a record. */
const FILE = 'FILE';
/** Stands for a file that is not there yet. */
const COPY = 'COPY';
const MOVED_URL = 'MOVED_URL';
const DECLARATION = join(import.meta.dirname, '../../../../examples/datasets/kibor.json');

/** Every command has to be here: the first test compares the names. */
const CASES: Readonly<Record<string, TerminalCase>> = {
  serve: {
    args: [],
    shows: /Explorer: http:.*service\.stopped/s,
    async act(terminal) {
      await terminal.waitFor('openapi.json');
      terminal.press(CTRL_C);
    },
  },
  'dataset declare': {
    args: [DECLARATION],
    shows: /Published revision \d+: 1 added|the data is unchanged/,
  },
  'dataset list': {
    args: [],
    before: ['dataset', 'declare', DECLARATION],
    shows: /kibor/,
    isTable: true,
  },
  'dataset show': {
    args: ['kibor'],
    before: ['dataset', 'declare', DECLARATION],
    shows: /"name": "kibor"/,
  },
  'dataset rename-code': {
    args: ['kibor', 'tenor', '1W', '1WK', '--dry-run'],
    before: ['dataset', 'declare', DECLARATION],
    shows: /Dry run, nothing published/,
  },
  'dataset retire': {
    args: ['kibor', '--dry-run'],
    before: ['dataset', 'declare', DECLARATION],
    shows: /Dry run, nothing published/,
  },
  inspect: {
    args: [FILE],
    shows: /years\.csv: CSV, utf-8, separated by ",".*header: 1/s,
  },
  load: { args: [SERIES, FILE], shows: /Published revision \d+: 1 added/ },
  retire: { args: [SERIES, '2024'], shows: /Published revision \d+: 0 added, .* 1 retired/ },
  revisions: { args: ['--dataset', SERIES], shows: /published/, isTable: true },
  revert: { args: ['1', '--dry-run'], shows: /Dry run, nothing published/ },
  check: { args: [], shows: /Checked \d+ revisions, \d+ records: 0 faults/ },
  status: { args: [SERIES, '--at', '2026-07-01'], shows: /on time/, isTable: true },
  backup: { args: [COPY], shows: /Wrote .*: revision \d+, \d+ records/ },
  health: { args: ['http://127.0.0.1:9'], shows: /cannot reach/, status: 1 },
  export: { args: [SERIES], shows: /^year,cash_wtl/ },
  query: { args: ['quotes', 'from=2000-01-01', 'limit=2'], shows: /Bill and bond/, isTable: true },
  'token create': { args: ['--name', 'ann'], shows: /tenor_[\w-]{43}\r\n/ },
  'token list': {
    args: [],
    before: ['token', 'create', '--name', 'ann'],
    shows: /state/,
    isTable: true,
  },
  'token revoke': { args: ['tk_none'], shows: /there is no token tk_none/, status: 1 },
  'token rotate': { args: ['tk_none'], shows: /there is no token tk_none/, status: 1 },
  'link create': {
    args: ['/3.0/funds?format=csv', '--name', 'desk'],
    shows: /\/links\/tenor_link_[\w-]{43}\r\n/,
  },
  'link list': {
    args: [],
    before: ['link', 'create', '/3.0/funds', '--name', 'desk'],
    shows: /target/,
    isTable: true,
  },
  'link revoke': { args: ['lk_none'], shows: /there is no link lk_none/, status: 1 },
  verify: { args: [], shows: /Verified: \d+ revisions of tenor\/[0-9a-f]{16}/ },
  mirror: { args: [COPY], shows: /has \d+ new revisions, up to \d+: \d+ files/ },
  'ledger key': { args: [], shows: /^tenor\/[0-9a-f]{16}\+[0-9a-f]{8}\+/ },
  'ledger rotate-key': { args: [], shows: /now signed with a new key:\r\ntenor\// },
  'ledger restart': { args: ['--name', 'prices'], shows: /The new transparency log prices begins/ },
  'candidate list': { args: [], shows: /^No candidates; --stage/ },
  'candidate show': { args: ['99'], shows: /there is no candidate 99/, status: 1 },
  'candidate approve': { args: ['99'], shows: /there is no candidate 99/, status: 1 },
  'candidate publish': { args: ['99'], shows: /there is no candidate 99/, status: 1 },
  'candidate withdraw': { args: ['99'], shows: /there is no candidate 99/, status: 1 },
  'review list': { args: [], shows: /approvals/, isTable: true },
  'review require': { args: [SERIES, '1'], shows: /1 approval/ },
  publish: { args: ['--due'], shows: /^$/ },
  notify: {
    args: ['--hook', 'https://127.0.0.1:9', '--secret-file', FILE, '--state', COPY],
    shows: /secret/,
    status: 1,
  },
  migrate: { args: [], shows: /Everything is up to date/ },
  move: {
    args: ['--to', MOVED_URL],
    before: ['token', 'create', '--name', 'ann'],
    shows: /1 token, 0 links, and all other stored data: no difference/,
  },
  settings: { args: [], shows: /DATABASE_URL +sqlite:/ },
  help: { args: ['load'], shows: /^tenor load DATASET FILE/ },
};

test('every command has a test on a terminal', () => {
  expect(Object.keys(CASES).sort()).toEqual([...Object.keys(COMMANDS), 'help'].sort());
});

const VARIANTS = [
  { columns: 100, style: {} },
  { columns: 40, style: { NO_COLOR: '1', TERM: 'dumb' } },
] as const;

test.each(Object.entries(CASES))(
  'tenor %s runs on a wide terminal and a narrow one without colours, and leaves both in order',
  async (name, terminalCase) => {
    const sessions = VARIANTS.map((variant) => runCase(name, terminalCase, variant));
    for (const [index, { screen, status }] of (await Promise.all(sessions)).entries()) {
      const { columns = 0, style = {} } = VARIANTS[index] ?? {};
      expect(screen).toMatch(terminalCase.shows);
      const expected = { columns, status: terminalCase.status ?? 0, ...IN_ORDER };
      expect({ columns, status, ...describeEnd(screen) }).toEqual(expected);
      if ('NO_COLOR' in style) expect(screen).not.toContain('\u001b');
      if (terminalCase.isTable) expect(getTableWidth(screen)).toBeLessThanOrEqual(columns);
    }
  },
);

async function runCase(
  name: string,
  { args, before, act }: TerminalCase,
  { columns, style }: (typeof VARIANTS)[number],
) {
  const { folder, env, writeFile } = createFolder();
  const file = writeFile('years.csv', `${CSV_HEADER}\n1942,5,1,1,7\n`);
  const paths: Readonly<Record<string, string>> = {
    [FILE]: file,
    [COPY]: join(folder, 'copy.db'),
    [MOVED_URL]: `sqlite:${join(folder, 'moved.db')}`,
  };
  const words = [...name.split(' '), ...args.map((arg) => paths[arg] ?? arg)];
  if (before) await runTenorProcess(before, env);
  using terminal = openTerminal(words, { columns, env: { ...env, ...style } });
  await act?.(terminal);
  return await terminal.wait();
}

/** The width without notes, which are sentences. */
function getTableWidth(screen: string): number {
  const rows = Bun.stripANSI(screen).split('\r\n');
  return Math.max(...rows.map((row) => (row.startsWith('tenor: ') ? 0 : Bun.stringWidth(row))));
}
