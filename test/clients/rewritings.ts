import type { LedgerProblem } from '../../clients/typescript/src/index.ts';
import { toDeclarationRecord } from '../../src/catalogue/datasets/datasets.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { KIBOR } from '../support/declared-rates.ts';
import {
  a,
  b,
  c,
  change,
  copyTable,
  HISTORY,
  otherSigner,
  publishSteps,
  type Step,
} from '../support/published-ledger.ts';
import { quote } from '../support/quote-fixture.ts';
import { createStore, type TestStore } from '../support/store.ts';

/** One way to rewrite a published ledger, and what a client finds that has kept the state of before. */
export interface Rewriting {
  /** Published in the place of all that was, with the same salts, and signed with the real key. */
  readonly steps?: readonly Step[];
  /** Changes of the database by someone who cannot sign, but has a signed one with another value. */
  readonly edit?: (store: TestStore, forged: TestStore) => Promise<void>;
  /** Changes what is sent from paths that match, on the way to the client. */
  readonly tamper?: readonly [
    path: RegExp,
    (body: Buffer) => Buffer | string | Response | Promise<Buffer>,
  ];
  readonly problem: Omit<LedgerProblem, 'message' | 'problem'> & {
    readonly problem: LedgerProblem['problem'] | 'behind';
  };
  /** Whether `tenor check` finds it, which has kept nothing. */
  readonly isFoundByCheck: boolean;
}

/** Everything in the database fits together: only what was kept before tells that it is another one. */
function resign(problem: Rewriting['problem']['problem'], steps: readonly Step[]): Rewriting {
  return { steps, problem: { problem }, isFoundByCheck: false };
}

function edit(problem: Rewriting['problem'], ...statements: readonly string[]): Rewriting {
  return { edit: (store) => change(store, ...statements), problem, isFoundByCheck: true };
}

function editEntry(revision: number, assignment: string): Rewriting {
  const sql = `UPDATE revisions SET ${assignment} WHERE revision = ${revision}`;
  return edit({ problem: 'altered-entry', revision }, sql);
}

function editRecords(revision: number, dataset: string, ...statements: string[]): Rewriting {
  return edit({ problem: 'altered-changes', revision, dataset }, ...statements);
}

function tamper(
  problem: Rewriting['problem'],
  ...change: NonNullable<Rewriting['tamper']>
): Rewriting {
  return { tamper: change, problem, isFoundByCheck: false };
}

/** The history with something else of one revision. */
function replaceStep(revision: number, replacement: Partial<Step>): Step[] {
  return HISTORY.map((step, index) =>
    index + 1 === revision ? { ...step, ...replacement } : step,
  );
}

const [first, second, third, fourth, fifth, sixth] = HISTORY as readonly [
  ...[Step, Step, Step, Step, Step, Step],
];
export const ADDED: Step = { dataset: quotes, records: [quote({ symbol: 'E' })], day: 7 };
export const OTHER_VALUE = replaceStep(1, { records: [a, { ...b, volume: 1 }, c] });
const OTHER_DECLARATION = [toDeclarationRecord({ ...KIBOR, title: 'Other rates' })];

type CopyPart = (from: TestStore, to: TestStore) => Promise<void>;

/** Copies parts of the database with another value: as far as someone has come who cannot sign. */
function copyParts(problem: Rewriting['problem'], ...parts: readonly CopyPart[]): Rewriting {
  return {
    async edit(store, forged) {
      for (const copy of parts) await copy(forged, store);
    },
    problem,
    isFoundByCheck: true,
  };
}

const copyRecords: CopyPart = (from, to) => copyTable(from, to, 'quotes_now');
const copyChecksums: CopyPart = (from, to) => copyTable(from, to, 'revisions');
const copyHashes: CopyPart = (from, to) => copyTable(from, to, 'ledger_hashes');
const copyDigest: CopyPart = async (from, to) => {
  const [row] = await from.query('SELECT changes FROM revision_digests WHERE revision = 1');
  await change(to, `UPDATE revision_digests SET changes = '${row?.changes}' WHERE revision = 1`);
};
const signWithOtherKey: CopyPart = async (from, to) => {
  const note = otherSigner.signNote(`${(await readCheckpoint(from, 6)).split('\n\n')[0]}\n`);
  await change(to, `UPDATE revision_digests SET checkpoint = '${note}' WHERE revision = 6`);
};

async function readCheckpoint(store: TestStore, revision: number): Promise<string> {
  const sql = `SELECT checkpoint FROM revision_digests WHERE revision = ${revision}`;
  return String((await store.query(sql))[0]?.checkpoint);
}

const OTHER_VOLUME = `SET record = replace(record, '"volume":', '"volume":1')`;
const LOG_TABLES = ['revision_digests', 'ledger_hashes', 'ledger_keys'];

export const REWRITINGS: Readonly<Record<string, Rewriting>> = {
  // Signed with the real key.
  'another value': resign('forked', OTHER_VALUE),
  'another value, before a new revision': resign('rewritten', [...OTHER_VALUE, ADDED]),
  'another value in the history': resign(
    'forked',
    replaceStep(1, { records: [{ ...a, volume: 1 }, b, c] }),
  ),
  'no newest revision': resign('behind', HISTORY.slice(0, -1)),
  'another newest revision': resign(
    'forked',
    replaceStep(6, { records: [quote({ symbol: 'X' })] }),
  ),
  'no revision 5, with the next one in its place': resign(
    'shorter',
    HISTORY.filter((step) => step !== fifth),
  ),
  'no revision 5, before new revisions': resign('rewritten', [
    ...HISTORY.filter((step) => step !== fifth),
    ADDED,
    { ...ADDED, records: [quote({ symbol: 'F' })] },
  ]),
  'a revision more in the middle': resign('rewritten', [
    ...[first, second, third],
    { ...ADDED, day: 3 },
    ...[fourth, fifth, sixth],
  ]),
  'two revisions in another order': resign('forked', [
    ...[first, second, third],
    ...[
      { ...fifth, day: 4 },
      { ...fourth, day: 5 },
    ],
    sixth,
  ]),
  'no correction': resign('forked', replaceStep(4, { records: [] })),
  'no retirement': resign('forked', replaceStep(4, { retired: [] })),
  'another status': resign('forked', replaceStep(5, { status: 'A' })),
  'another declaration': resign('forked', replaceStep(2, { records: OTHER_DECLARATION })),
  'another author': resign('forked', replaceStep(6, { author: 'somebody else' })),
  'another source': resign('forked', replaceStep(6, { source: 'elsewhere' })),
  'another instant': resign('forked', replaceStep(6, { day: 7 })),
  'other files': resign('forked', replaceStep(6, { files: [] })),
  'another report': resign('forked', replaceStep(6, { report: {} })),
  'other options': resign('forked', replaceStep(6, { options: {} })),

  // By someone who can write the database, but not sign.
  'another value of a record': editRecords(
    1,
    'quotes',
    `UPDATE quotes_now ${OTHER_VOLUME} WHERE symbol = 'B'`,
  ),
  'another value of a corrected record': editRecords(
    1,
    'quotes',
    `UPDATE quotes_past ${OTHER_VOLUME} WHERE symbol = 'A'`,
  ),
  'a correction undone': editRecords(
    4,
    'quotes',
    `UPDATE quotes_now SET record = (SELECT record FROM quotes_past WHERE symbol = 'A') WHERE symbol = 'A'`,
  ),
  'a retired record that is current': editRecords(
    4,
    'quotes',
    `INSERT INTO quotes_now SELECT date, symbol, symbol_key, isin_key, type, record, since
      FROM quotes_past WHERE symbol = 'C'`,
    `DELETE FROM quotes_past WHERE symbol = 'C'`,
  ),
  'a record of no revision in the place of another': edit(
    { problem: 'altered-data', dataset: 'quotes' },
    `INSERT INTO quotes_past SELECT date, symbol, symbol_key, isin_key, type, record, since, 99
      FROM quotes_now WHERE symbol = 'B'`,
    `INSERT INTO quotes_now SELECT date, 'X', 'X', isin_key, type,
      replace(record, '"symbol":"B"', '"symbol":"X"'), 0 FROM quotes_now WHERE symbol = 'B'`,
    `DELETE FROM quotes_now WHERE symbol = 'B'`,
  ),
  'another status of a record': editRecords(
    5,
    'online-banking-annual-volume',
    `UPDATE observations_now SET status = 'A' WHERE status = 'P'`,
  ),
  'another declaration of a dataset': editRecords(
    2,
    'datasets',
    `UPDATE records_now SET record = replace(record, 'Interbank', 'Other')
      WHERE dataset = 'datasets'`,
  ),
  'another value with checksums': copyParts(
    { problem: 'altered-changes', revision: 1, dataset: 'quotes' },
    ...[copyRecords, copyChecksums],
  ),
  'another value with checksums and digests': copyParts(
    { problem: 'altered-entry', revision: 1 },
    ...[copyRecords, copyChecksums, copyDigest],
  ),
  'another value with checksums, digests and hashes': copyParts(
    { problem: 'damaged-tile' },
    ...[copyRecords, copyChecksums, copyDigest, copyHashes],
  ),
  'another value with all of it, signed with another key': copyParts(
    { problem: 'unsigned' },
    ...[copyRecords, copyChecksums, copyDigest, copyHashes, signWithOtherKey],
  ),
  'another author of a revision': editEntry(3, `author = 'somebody else'`),
  'another source of a revision': editEntry(3, `source = 'elsewhere'`),
  'another instant of a revision': editEntry(3, `published_at = '2026-08-03T00:00:01.000Z'`),
  'other files of a revision': editEntry(6, `files = '[]'`),
  'another report of a revision': editEntry(6, `report = '{}'`),
  'other options of a load': editEntry(6, `options = '{}'`),
  'other counts of a revision': editEntry(6, 'unchanged = 3'),
  'another salt': edit(
    { problem: 'altered-entry', revision: 3 },
    `UPDATE revision_digests SET salt = '${'0'.repeat(32)}' WHERE revision = 3`,
  ),
  'another hash of a revision': edit(
    { problem: 'damaged-tile' },
    `UPDATE ledger_hashes SET hash = '${'0'.repeat(64)}' WHERE level = 0 AND ordinal = 1`,
  ),
  'a hash that is missing': edit(
    { problem: 'damaged-tile' },
    'DELETE FROM ledger_hashes WHERE level = 0 AND ordinal = 1',
  ),
  'the newest revision deleted': edit(
    { problem: 'behind' },
    'DELETE FROM revisions WHERE revision = 6',
  ),
  'an earlier checkpoint': {
    async edit(store) {
      const note = await readCheckpoint(store, 5);
      await change(store, `UPDATE revision_digests SET checkpoint = '${note}' WHERE revision = 6`);
    },
    problem: { problem: 'behind' },
    isFoundByCheck: true,
  },
  'another key': {
    async edit(store) {
      await change(store, `UPDATE ledger_keys SET verifier_key = '${otherSigner.key}'`);
      await signWithOtherKey(store, store);
    },
    problem: { problem: 'unknown-key' },
    isFoundByCheck: false,
  },
  'another key, which only it has signed': {
    async edit(store) {
      const note = otherSigner.signNote(`tenor ledger key\n${otherSigner.key}\n6\n`);
      await change(store, `INSERT INTO ledger_keys VALUES (2, '${otherSigner.key}', 6, '${note}')`);
      await signWithOtherKey(store, store);
    },
    problem: { problem: 'unknown-key' },
    isFoundByCheck: false,
  },
  'no log': edit({ problem: 'no-log' }, ...LOG_TABLES.map((table) => `DELETE FROM ${table}`)),
  'a new log, with a new key': {
    async edit(store) {
      const other = await createStore();
      await publishSteps(other, HISTORY);
      for (const table of LOG_TABLES) await copyTable(other, store, table);
      await other.remove();
    },
    problem: { problem: 'unknown-key' },
    isFoundByCheck: false,
  },

  // On the way to the client.
  'another value in an export': tamper(
    { problem: 'altered-data', dataset: 'quotes' },
    ...([
      /^\/exports\/quotes/,
      (body: Buffer) => String(body).replace('"volume":77', '"volume":78'),
    ] as const),
  ),
  'an export without a record': tamper(
    { problem: 'altered-data', dataset: 'kibor' },
    ...([/^\/exports\/kibor/, (body: Buffer) => String(body).replace(/.*\n/, '')] as const),
  ),
  'a revision that is said to be of another scope': tamper(
    { problem: 'altered-data', dataset: 'kibor' },
    /^\/ledger\/entries\/3/,
    () => Response.json({ status: 'error', message: 'forbidden' }, { status: 403 }),
  ),
  'a truncated tile': tamper(
    { problem: 'damaged-tile' },
    ...([/^\/ledger\/tile/, (body: Buffer) => body.subarray(0, -1)] as const),
  ),
};
