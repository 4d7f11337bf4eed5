import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onlineBankingAnnualVolume } from '../../src/catalogue/datasets/series/online-banking-annual-volume.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { DAY_MS } from '../../src/shared/calendar.ts';
import { openStore } from '../../src/store/open-store.ts';
import { KIBOR } from '../support/declared-rates.ts';
import { publishAt } from '../support/publish-at.ts';
import { runTenor, startTenorServer } from '../support/run-tenor.ts';
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

/** A database whose only revision is of the given instant. */
async function createDatabase(lastMs: number): Promise<string> {
  const url = `sqlite:${join(folder, `${crypto.randomUUID()}.db`)}`;
  const records = [{ year: '2023', cash_wtl: 1, cash_deposit: 1, funds_transfer: 1, total: 3 }];
  const store = await openStore(url, catalogue);
  await publishAt(store, lastMs, onlineBankingAnnualVolume, { records });
  return url;
}

/** Runs `tenor load` on a database whose last revision is of the given instant. */
async function loadAfter(lastMs: number, ...options: string[]) {
  const DATABASE_URL = await createDatabase(lastMs);
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

const AGO_91_DAYS = Date.now() - 91 * DAY_MS;

test('every command that publishes stops at a clock that is more than 90 days ahead, unless --clock-skew allow is given', async () => {
  const declaration = join(folder, 'declaration.json');
  writeFileSync(declaration, JSON.stringify(KIBOR));
  const name = onlineBankingAnnualVolume.name;
  for (const args of [
    ['load', name, join(folder, 'years.csv')],
    ['load', name, join(folder, 'years.csv'), '--dry-run'],
    ['retire', name, '2023'],
    ['revert', '1'],
    ['dataset', 'declare', declaration],
  ]) {
    const DATABASE_URL = await createDatabase(AGO_91_DAYS);
    const rejected = await runTenor([...args, '--json'], { DATABASE_URL });
    expect([args, rejected.status]).toEqual([args, 3]);
    expect(JSON.parse(rejected.out)).toMatchObject({ status: 'refused', rule: 'clock-skew' });
    expect(rejected.err).toMatch(/ is 91 days ahead of revision 1 .*give --clock-skew allow if /);
    const allowed = await runTenor([...args, '--clock-skew', 'allow'], { DATABASE_URL });
    expect(allowed).toMatchObject({ status: 0, err: '' });
  }
});

test('tenor load --at stops at once if its instant would be more than 90 days after all that is known', async () => {
  const at = new Date(Date.now() + 7 * DAY_MS).toISOString();
  const { status, out, err } = await loadAfter(Date.now() - 85 * DAY_MS, '--at', at);
  expect([status, out]).toEqual([3, '']);
  expect(err).toContain(`--at (${at}) is 92 days ahead of revision 1`);
});

test.each([{}, { API_TOKEN: 'a-token-of-the-operator' }])(
  'a server that has started since confirms the clock, with %p',
  async (settings) => {
    const DATABASE_URL = await createDatabase(AGO_91_DAYS);
    const server = await startTenorServer({ DATABASE_URL, ...settings });
    await server.stop();
    const args = ['load', onlineBankingAnnualVolume.name, join(folder, 'years.csv')];
    expect(await runTenor(args, { DATABASE_URL })).toMatchObject({ status: 0, err: '' });
  },
);

test('the last start of a server is in a backup', async () => {
  const DATABASE_URL = await createDatabase(AGO_91_DAYS);
  const store = await openStore(DATABASE_URL, catalogue);
  await store.tokens().recordServerStart?.();
  const copy = join(folder, `${crypto.randomUUID()}.db`);
  expect(await runTenor(['backup', copy], { DATABASE_URL })).toMatchObject({ status: 0 });
  const args = ['load', onlineBankingAnnualVolume.name, join(folder, 'years.csv')];
  const loaded = await runTenor(args, { DATABASE_URL: `sqlite:${copy}` });
  expect(loaded.status).toBe(0);
  // Nothing about the clock.
  expect(loaded.err).toMatch(/^tenor: this database was restored with 1 revisions: .+\n$/);
});
