import { expect, test } from 'bun:test';
import { DAY_MS } from '../../src/shared/calendar.ts';
import { quote } from '../support/quote-fixture.ts';
import { createPublishingWorkspace, HEADER } from './publishing-workspace.ts';

const { run, load, readJson, writeFile, writeYears } = createPublishingWorkspace();

const market = (days: readonly string[], lastPrice: number) =>
  JSON.stringify(
    days.flatMap((date) =>
      Array.from({ length: 12 }, (_, index) => quote({ date, symbol: `S${index}`, lastPrice })),
    ),
  );

const MONTH = ['2026-04-01', '2026-04-02', '2026-04-03'];

test('a job publishes a day ten times with other prices, and exits with 3 if it corrects the month before', async () => {
  await run('load', 'quotes', writeFile('a.json', market(MONTH, 99)));
  for (let price = 100; price < 110; price++) {
    const day = writeFile('b.json', market(['2026-05-04'], price));
    expect(await run('load', 'quotes', day)).toMatchObject({ status: 0, err: '' });
  }
  const wrong = writeFile('c.json', market([...MONTH, '2026-05-04'], 50));
  const message =
    'nothing was published: 36 of 36 loaded records of quotes before 2026-05-04 would correct published ones, more than 50 %; --correct-many corrects them';
  for (const dryRun of [[], ['--dry-run']])
    expect(await run('load', 'quotes', wrong, ...dryRun)).toEqual({
      status: 3,
      out: '',
      err: `tenor: ${message}\n`,
    });
  expect(await readJson('load', 'quotes', wrong)).toEqual({
    status: 'refused',
    message,
    rule: 'corrects-many',
  });
  expect(await run('load', 'quotes', wrong, '--correct-many')).toMatchObject({ status: 0 });
});

test('a refusal names its rule in JSON: a guard, or the warnings that were rejected', async () => {
  await load(writeYears('a.csv', { 2022: 1, 2023: 5, 2024: 6 }));
  const future = writeYears('b.csv', { 2024: 6, 9000: 1 });
  expect(await load(future)).toMatchObject({ status: 3, out: '' });
  expect(await readJson('load', 'online-banking-annual-volume', future)).toMatchObject({
    rule: 'future-date',
    count: 1,
    problems: [{ field: 'year', value: '9000', guard: 'future-date' }],
  });
  const invalid = writeYears('c.csv', { 9000: 1, 2023: 'x' });
  expect(await load(invalid)).toMatchObject({ status: 1 });
  expect(await readJson('load', 'online-banking-annual-volume', invalid)).not.toHaveProperty(
    'rule',
  );
  const few = writeYears('d.csv', { 2024: 6 });
  expect(await load(few, '--replace')).toMatchObject({ status: 3 });
  expect(await readJson('load', 'online-banking-annual-volume', few, '--replace')).toMatchObject({
    rule: 'retires-many',
  });
  const odd = writeFile('e.csv', `${HEADER}\n2025,1,1,1,9\n`);
  for (const option of ['--strict', '--refuse=parts-off-total'])
    expect(await readJson('load', 'online-banking-annual-volume', odd, option)).toMatchObject({
      rules: expect.arrayContaining(['parts-off-total']),
      problems: [],
    });
  expect(await load(odd, '--strict')).toMatchObject({ status: 1 });
});

test('a file without records exits with 4 and is named, unless --allow-empty is given', async () => {
  const full = writeYears('a.csv', { 2024: 6 });
  const empty = {
    'header.csv': `${HEADER}\n`,
    'nothing.csv': '',
    'blank.csv': '\n\n',
    'list.json': '[]',
    'blank.json': ' ',
    'lines.ndjson': '',
  };
  for (const [name, text] of Object.entries(empty)) {
    const path = writeFile(name, text);
    const err = `tenor: nothing was published: no records in ${path}; --allow-empty loads such files\n`;
    expect(await load(path)).toEqual({ status: 4, out: '', err });
    expect(await load(full, path, '--dry-run')).toEqual({ status: 4, out: '', err });
    expect(await load(path, '--allow-empty')).toMatchObject({ status: 0 });
    expect(await load(path, '--replace', '--allow-empty')).toMatchObject({ status: 4 });
  }
  const path = writeFile('b.csv', `${HEADER}\n`);
  expect(await load(full, path, '--allow-empty')).toMatchObject({ status: 0 });
  expect((await readJson('revisions', '1')).options.options).toEqual({ 'allow-empty': true });
  expect(await load(full)).toMatchObject({ status: 0 });
  const adapter = writeFile('none.ts', 'export default async function* () {}\n');
  expect(await load(full, '--adapter', adapter)).toMatchObject({ status: 4 });
  expect(await load(full, '--adapter', adapter, '--allow-empty')).toMatchObject({ status: 0 });
});

test('a candidate may be due months ahead of all that the database knows of', async () => {
  await load(writeYears('a.csv', { 2023: 5 }));
  const due = new Date(Date.now() + 200 * DAY_MS).toISOString();
  const staged = await load(writeYears('b.csv', { 2024: 6 }), '--stage', '--at', due);
  expect(staged).toMatchObject({ status: 0 });
  expect(staged.out).toContain(`Staged candidate 1, to be published at ${due}`);
});
