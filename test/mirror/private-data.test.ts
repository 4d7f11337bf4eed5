import { afterAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { datasets, toDeclarationRecord } from '../../src/catalogue/datasets/datasets.ts';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import { checkMirror } from '../../src/mirror/check-mirror.ts';
import { openMirrorTarget } from '../../src/mirror/mirror-target.ts';
import { KIBOR } from '../support/declared-rates.ts';
import { mirrorTo, readFiles, readRevision } from '../support/mirror-folder.ts';
import { HISTORY, publishHistory, type Step } from '../support/published-ledger.ts';
import { quote } from '../support/quote-fixture.ts';
import { createStore, createTempFolder } from '../support/store.ts';

const folder = createTempFolder();
afterAll(() => rmSync(folder, { recursive: true }));

const DECLARATION = { ...KIBOR, name: 'positions', scope: 'private' };
const positions = createDeclaredDataset(DECLARATION);
const position = { date: '2031-07-31', tenor: 'SECRETKEY', bid: 61.234567, offer: 71.345678 };
const fund = { ...fundAllocation.example, fund_id: 'SECRETFUND' };
const origin = {
  source: 'secret-source',
  author: 'secret-author',
  files: [{ name: 'secret-file.csv', bytes: 9_182_736, sha256: '5ec7e7'.padEnd(64, '0') }],
  report: { warnings: [{ rule: 'secret-warning', count: 82_736_451 }] } as never,
};
const SECRET_STEPS: readonly Step[] = [
  {
    dataset: positions,
    records: [position, { ...position, tenor: 'SECRETKEY2' }],
    ...origin,
    day: 8,
  },
  { dataset: fundAllocation, records: [fund], ...origin, day: 9 },
  { dataset: positions, records: [{ ...position, bid: 62.345678 }], ...origin, day: 10 },
  { dataset: positions, retired: [position], ...origin, day: 11 },
];
/** Also in other letters, and without the separators of JSON. */
const SECRETS = /secret|61\.2345|62\.3456|71\.3456|9182736|5ec7e7|82736451|2031-07/i;

test('nothing of a dataset that the scopes exclude is in any file, but its declaration, which is public', async () => {
  const store = await createStore();
  await publishHistory(store, [
    ...HISTORY,
    { dataset: datasets, records: [toDeclarationRecord(DECLARATION)], day: 7 },
    ...SECRET_STEPS,
    { dataset: quotes, records: [quote({ symbol: 'E' })], day: 12 },
  ]);
  const newest = HISTORY.length + SECRET_STEPS.length + 2;
  const everything = `${folder}/everything`;
  await mirrorTo(store, everything);
  await mirrorTo(store, `${folder}/quotes`, { scopes: ['quotes'] });
  await store.remove();
  // The search finds them where they are.
  expect(JSON.stringify(await readRevision(everything, newest))).toMatch(SECRETS);
  expect([...readFiles(everything).values()].join('')).toMatch(SECRETS);
  const files = readFiles(`${folder}/quotes`);
  for (const [path, bytes] of files)
    expect(`${path} ${bytes.toString('latin1')}`).not.toMatch(SECRETS);
  for (let revision = 1; revision <= newest; revision++) {
    const { manifest, records } = await readRevision(`${folder}/quotes`, revision);
    const names = Object.keys(manifest.datasets);
    expect(names).toEqual(['quotes', 'securities', 'holidays', 'coupon-rates', 'datasets']);
    expect(JSON.stringify(records)).not.toMatch(SECRETS);
    const isExcluded = revision > HISTORY.length + 1 && revision < newest;
    expect(files.has(`changes/${revision}.ndjson`)).toBe(!isExcluded && ![3, 5].includes(revision));
    expect(files.has(`revisions/${revision}/entry.json`)).toBe(
      files.has(`changes/${revision}.ndjson`),
    );
  }
  const checked = await checkMirror(openMirrorTarget(`${folder}/quotes`));
  expect(checked).toMatchObject({ revision: newest, faults: [] });
});
