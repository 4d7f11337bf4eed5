import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KIBOR } from '../support/declared-rates.ts';
import { runTenor } from '../support/run-tenor.ts';
import { createTempFolder } from '../support/store.ts';

const folder = createTempFolder();
const env = { DATABASE_URL: `sqlite:${join(folder, 'a.db')}` };
const run = (...args: string[]) => runTenor(args, env, { cwd: folder });
const declare = async (declaration: object, ...args: string[]) => {
  writeFileSync(join(folder, 'd.json'), JSON.stringify(declaration));
  return run('dataset', 'declare', 'd.json', '--create', ...args);
};
const [bid, offer] = KIBOR.measures;
const worded = (unit: string) => ({ ...KIBOR, measures: [{ ...bid, unit }, offer] });

afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(async () => {
  expect(
    await declare({ ...KIBOR, measures: [{ ...bid, field: 'bdi', unit: 'percnet' }], chart: [] }),
  ).toMatchObject({ status: 0 });
});

test('a declaration changes in any way before its first record, and its units by an option afterwards', async () => {
  expect(await declare(worded('percnet'))).toMatchObject({ status: 0 });
  writeFileSync(
    join(folder, 'a.csv'),
    'date,tenor,bid,offer\n2026-06-01,1M,11,12\n2026-06-01,6M,12,13\n2026-06-02,1M,11,12\n2026-06-02,6M,12,13\n',
  );
  expect(await run('load', 'kibor', 'a.csv')).toMatchObject({ status: 0 });
  expect(await declare(worded('percent'))).toMatchObject({
    status: 1,
    err: expect.stringContaining('--reword-unit changes its wording'),
  });
  expect(await declare(worded('percent'), '--reword-unit')).toMatchObject({ status: 0 });
  const { measures } = JSON.parse((await run('dataset', 'show', 'kibor')).out);
  expect(measures[0]).toMatchObject({ field: 'bid', unit: 'percent' });
});

test('a code is renamed in all records and in the declaration', async () => {
  const wrong = await run('dataset', 'rename-code', 'kibor', 'tenor', '6M', '1M');
  expect(wrong).toMatchObject({
    status: 1,
    err: expect.stringContaining('has records of tenor 1M'),
  });
  expect(await run('dataset', 'rename-code', 'kibor', 'tenor', '6M', '26W')).toMatchObject({
    status: 0,
    out: expect.stringContaining('its records: 2 added, 0 corrected, 2 retired'),
  });
  const { dimensions } = JSON.parse((await run('dataset', 'show', 'kibor')).out);
  expect(dimensions[0].codes).toEqual({ '1M': 'one month', '26W': 'six months' });
  const { out } = await run('export', 'kibor', '--format', 'csv');
  expect(out).toContain('2026-06-02,26W,12,13');
  expect(out).not.toContain('6M');
  expect((await run('revisions')).out).toContain('renamed tenor 6M to 26W');
});

test('records of a series are retired by a filter, within the guard', async () => {
  const filter = ['retire', 'kibor', '--where', 'tenor=1M', '--from', '2026-06-02'];
  expect(await run(...filter)).toMatchObject({
    status: 3,
    err: expect.stringContaining('the filter would retire 1 of 4 records of kibor'),
  });
  expect(await run(...filter, '--retire-many')).toMatchObject({ status: 0 });
  expect((await run('export', 'kibor', '--format', 'csv')).out).not.toContain('2026-06-02,1M');
  expect(await run('retire', 'kibor', '--where', 'coin=1')).toMatchObject({
    status: 2,
    err: expect.stringContaining('dimensions are tenor'),
  });
  expect(await run('status', 'kibor')).toMatchObject({
    status: 1,
    err: expect.stringContaining('1 of 2 series'),
  });
});

test('a database that is missing is named before a dataset that is declared elsewhere', async () => {
  const { err } = await runTenor(['status', 'kibor'], { DATABASE_URL: 'sqlite:/none/none.db' });
  expect(err).toContain('/none/none.db');
  expect(err).not.toContain('there is no dataset');
});
