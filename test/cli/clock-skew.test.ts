import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onlineBankingAnnualVolume } from '../../src/catalogue/datasets/series/online-banking-annual-volume.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { openStore } from '../../src/store/open-store.ts';
import { publishAt } from '../support/publish-at.ts';
import { runTenor } from '../support/run-tenor.ts';
import { createTempFolder } from '../support/store.ts';

let folder: string;
beforeAll(() => {
  folder = createTempFolder();
  writeFileSync(
    join(folder, 'years.csv'),
    'year,cash_wtl,cash_deposit,funds_transfer,total\n2024,5,1,1,7\n',
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs `tenor load` on a database whose last revision is of the given instant. */
async function loadAfter(lastMs: number, ...options: string[]) {
  const DATABASE_URL = `sqlite:${join(folder, `${crypto.randomUUID()}.db`)}`;
  const records = [{ year: '2023', cash_wtl: 1, cash_deposit: 1, funds_transfer: 1, total: 3 }];
  const store = await openStore(DATABASE_URL, catalogue);
  await publishAt(store, lastMs, onlineBankingAnnualVolume, { records });
  const args = ['load', onlineBankingAnnualVolume.name, join(folder, 'years.csv'), ...options];
  return runTenor(args, { DATABASE_URL });
}

test('tenor load rejects a clock that is behind the last revision, unless --clock-skew allow is given', async () => {
  const ahead = Date.now() + 300_000;
  const [rejected, allowed, invalid] = await Promise.all([
    loadAfter(ahead),
    loadAfter(ahead, '--clock-skew', 'allow'),
    loadAfter(ahead, '--clock-skew', 'maybe'),
  ]);
  expect(rejected).toMatchObject({ status: 3, out: '' });
  expect(rejected.err).toMatch(
    /^tenor: nothing was published: the clock of this machine .* is 5 min behind revision 1 .*\n$/,
  );
  expect(allowed).toMatchObject({ status: 0, err: '' });
  expect(allowed.out).toContain('Published revision 2: 1 added');
  expect(invalid).toEqual({ status: 2, out: '', err: 'tenor: --clock-skew must be allow\n' });
});

test('tenor load warns if the clock is more than a year ahead of the last revision', async () => {
  const { status, out, err } = await loadAfter(Date.parse('2020-01-01T00:00:00Z'));
  expect(out).toContain('Published revision 2: 1 added');
  expect(err).toMatch(
    /^tenor: the clock of this machine .* days ahead of revision 1 .*is it right\?\n$/,
  );
  expect(status).toBe(0);
});
