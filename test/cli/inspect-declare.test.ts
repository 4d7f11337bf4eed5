import { afterAll, describe, expect, test } from 'bun:test';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findDeclarationProblems } from '../../src/catalogue/declaration-problems.ts';
import { inspectFile } from '../../src/inspect/inspect-file.ts';
import { createDeclaration } from '../../src/inspect/start/create-declaration.ts';
import { formatDay } from '../../src/shared/calendar.ts';
import { runTenor } from '../support/run-tenor.ts';
import { createTempFolder } from '../support/store.ts';

const folder = createTempFolder();
afterAll(() => rmSync(folder, { recursive: true }));
const write = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

async function declare(text: string, name = 'a.csv') {
  const path = write(name, text);
  const found = createDeclaration('rates', await inspectFile({ path, name }, {}));
  const { period, dimensions = [], measures, ...rest } = found?.declaration ?? ({} as never);
  return {
    ...rest,
    period,
    dimensions: dimensions.map(({ field }) => field),
    measures: measures?.map(({ field, unit, decimals }) => `${field} ${unit} ${decimals}`),
    mapping: found?.start?.kind === 'mapping' ? JSON.parse(found.start.text) : found?.start?.kind,
  };
}

describe('a declaration that is made from a file', () => {
  test('has the fewest dimensions that tell rows apart, decimals, and a mapping', async () => {
    const text =
      'Day;Region;Bank Code;Bank;Rate %;Volume\n30.06.2026;N;1;A;1,25;10\n30.06.2026;N;2;B;1,5;20\n29.06.2026;N;1;A;1,2;\n';
    expect(await declare(text)).toMatchObject({
      title: '?',
      period: { kind: 'day', field: 'day' },
      dimensions: ['bank_code'],
      measures: ['rate percent 2', 'volume ? 0'],
      mapping: {
        columns: { Day: 'day', 'Bank Code': 'bank_code', Bank: null, 'Rate %': 'rate' },
        decimal: ',',
        dates: 'dmy',
      },
    });
  });

  test.each([
    ['Bank,Month,Year,Value\nA,Jan,2026,1\nB,Jan,2026,2\n', 'month', '{Month} {Year}'],
    ['Bank,Year,Month,Value\nA,2026,12,1\nB,2026,12,2\n', 'month', '{Year}M{Month}'],
    ['Bank,Year,Quarter,Value\nA,2026,Q1,1\nB,2026,Q1,2\n', 'quarter', '{Quarter} {Year}'],
    ['Bank,Year,Quarter,Value\nA,2026,1,1\nB,2026,1,2\n', 'quarter', 'Q{Quarter} {Year}'],
  ])('joins the columns of a period: %j', async (text, kind, template) => {
    const found = await declare(text);
    expect(found).toMatchObject({ period: { kind, field: kind }, measures: ['value ? 0'] });
    const { columns, fields } = found.mapping;
    expect([columns, fields]).toEqual([{ Bank: 'bank', Value: 'value' }, { [kind]: template }]);
  });

  test('takes the day from the name of the file if rows have none of their own', async () => {
    const mapping = { columns: { Code: 'code', Price: 'price' }, fields: { date: '{file.date}' } };
    const board = await declare('Code,Price\nA,1\nB,2\n', 'board-20260408.csv');
    expect(board).toMatchObject({ period: { kind: 'day', field: 'date' }, mapping });
    const terms = 'Code,Matures,Price\nA,2030-01-05,1\nB,2031-01-05,2\n';
    expect(await declare(terms, 'board_2026-04-08.csv')).toMatchObject({
      dimensions: ['code'],
      mapping: { ...mapping, columns: { ...mapping.columns, Matures: null } },
    });
    const days = 'Day,Price\n2026-04-07,1\n2026-04-08,2\n';
    expect(await declare(days, 'board_2026-04-08.csv')).toMatchObject({ period: { field: 'day' } });
  });

  test('writes the dimensions of a file in which a few rows repeat a key, and says so', async () => {
    const rows = Array.from({ length: 40 }, (_, index) => `2026-01-05,B${index},1`);
    const path = write('a.csv', ['Day,Bank,Value', ...rows, '2026-01-05,B7,2', ''].join('\n'));
    const found = createDeclaration('rates', await inspectFile({ path, name: 'a.csv' }, {}));
    expect(found?.declaration.dimensions?.map(({ field }) => field)).toEqual(['bank']);
    expect(found?.start).toMatchObject({
      kind: 'mapping',
      questions: ['rows: 1 with the same day and bank, such as row 42'],
    });
  });

  test('has the codes of all rows, examined or not, in the order of the file', async () => {
    const banks = ['HBL', 'UBL', 'MCB', 'NBP'];
    const rows = banks.flatMap((bank) =>
      Array.from({ length: 900 }, (_, day) => `${formatDay(18_000 + day)},${bank},1`),
    );
    const path = write('a.csv', `Day,Bank,Value\n${rows.join('\n')}\n`);
    const found = createDeclaration('rates', await inspectFile({ path, name: 'a.csv' }, {}));
    const [bank] = found?.declaration.dimensions ?? [];
    expect(Object.keys(bank?.codes ?? {})).toEqual(banks);
  });

  test.each(['MN-Minneapolis', 'MN'])('takes no code for a unit: %s', async (column) => {
    const path = write('a.csv', `Month,${column},BN-Brunei\nJan 2026,1,2\nFeb 2026,1,2\n`);
    const file = await inspectFile({ path, name: 'a.csv' }, {});
    const options = { unit: { byField: new Map(), others: '2020 = 100' } };
    expect(createDeclaration('prices', file, options)?.start).toMatchObject({ questions: [] });
  });

  test('has no codes for days', async () => {
    const path = write(
      'a.csv',
      'Day,Matures,Bid\n2026-01-05,2030-01-05,1\n2026-01-05,2031-01-05,2\n',
    );
    const found = createDeclaration('rates', await inspectFile({ path, name: 'a.csv' }, {}));
    expect(found?.declaration.dimensions).toEqual([{ field: 'matures', title: 'Matures' }]);
  });

  test('has two dimensions if one does not suffice', async () => {
    const lines = ['M', 'F'].flatMap((sex) =>
      ['N', 'S'].map((area) => `Jan 2026,${sex},${area},1,5%`),
    );
    expect(await declare(['Month,Sex,Area,Count,Share', ...lines, ''].join('\n'))).toMatchObject({
      period: { kind: 'month', field: 'month' },
      dimensions: ['sex', 'area'],
      measures: ['count ? 0', 'share percent 0'],
    });
  });

  test.each([
    ['2026-W05', { kind: 'week', field: 'at' }],
    ['Q1 2026', { kind: 'quarter', field: 'at' }],
    ['Q1-FY26', { kind: 'quarter', field: 'at', yearStart: '?' }],
    ['FY26', { kind: 'year', field: 'at', yearStart: '?' }],
    ['2026', { kind: 'year', field: 'at' }],
  ])('has the kind of the labels: %s', async (label, period) => {
    const found = await declare(`At,Value,Status\n${label},1.5,P\n`);
    expect(found).toMatchObject({ period, status: true, measures: ['value ? 1'] });
    expect(found.mapping).toMatchObject({ columns: { At: 'at', Status: 'status' } });
  });

  test('has years before 1900 if a column is named Year, and figures else', async () => {
    const rows = ['1751,UK,1820', '1752,UK,1861', '1752,FR,1900', ''].join('\n');
    expect(await declare(`Year,Country,Total\n${rows}`)).toMatchObject({
      period: { kind: 'year', field: 'year' },
      dimensions: ['country'],
      measures: ['total ? 0'],
    });
    expect(await declare(`Years of age,Country,Total\n${rows}`)).toMatchObject({
      period: { kind: '?', field: '?' },
    });
  });

  test('names no field twice, none as it is reserved, and asks for what has no name', async () => {
    expect(
      await declare('Date,From,Net  value,net_value,Wert,值\n2026-01-05,1,2,3,4,5\n'),
    ).toMatchObject({
      measures: ['from_value ? 0', 'net_value ? 0', 'net_value_value ? 0', 'wert ? 0', '? ? 0'],
    });
  });

  test('asks for periods and dimensions that no column has, and none of texts', async () => {
    expect(await declare('Bank,Value\nA,1\nB,2\n')).toMatchObject({
      period: { kind: '?', field: '?' },
      dimensions: ['bank'],
      mapping: undefined,
    });
    expect(await declare('Date,Value\n2026-01-05,1\n2026-01-05,1\n')).toMatchObject({
      dimensions: ['?'],
    });
    expect((await declare('Date,Name\n2026-01-05,a\n')).measures).toBeUndefined();
    expect(await declare('Item,2023,2024,2025\nA,1,2,3\nB,2,3,4\n')).toMatchObject({
      period: { kind: 'year', field: 'year' },
      dimensions: ['item'],
      mapping: { unpivot: { field: 'year', measure: 'value' } },
    });
  });

  test('has titles and fields that may be declared, of columns with very long names', async () => {
    const long = (name: string) => `${name} ${'of the reporting institution '.repeat(40)}`.trim();
    const path = write(
      'a.csv',
      `${'𝒜'.repeat(60)}\nDay,${long('Bank')},${long('Rate')}\n2026-01-05,A,1\n2026-01-05,B,2\n`,
    );
    const found = createDeclaration('rates', await inspectFile({ path, name: 'a.csv' }, {}));
    const { dimensions, measures } = found?.declaration ?? ({} as never);
    expect(found?.declaration.title).toBe(`${'𝒜'.repeat(39)}…`);
    expect(dimensions?.[0]?.title).toStartWith('Bank of the reporting');
    expect(measures?.[0]?.title).toStartWith('Rate of the reporting');
    const problems = findDeclarationProblems(found?.declaration);
    expect(problems.filter((line) => !line.includes('must be answered'))).toEqual([]);
    expect(JSON.parse(found?.start?.text ?? '').columns).toMatchObject({
      [long('Rate')]: measures?.[0]?.field,
    });
  });

  test('is refused with a line for each question', async () => {
    const path = write('a.csv', 'Year,Value\nFY25,1\nFY26,2\n');
    const found = createDeclaration('rates', await inspectFile({ path, name: 'a.csv' }, {}));
    expect(findDeclarationProblems(found?.declaration)).toEqual([
      '$.title must be answered: Title for people',
      '$.period.yearStart must be answered: The month in which years begin; if it is not 1, they are named by the year in which they end',
      '$.measures[0].unit must be answered: Unit of the figures, such as percent or PKR billion',
      '$.measures[0].kind must be answered: flow, stock, rate, index',
    ]);
  });
});

test('inspect --declare writes a declaration and a mapping that load the file once they are answered', async () => {
  const env = { DATABASE_URL: `sqlite:${join(folder, 'x.db')}` };
  const run = (...args: string[]) => runTenor(args, env);
  const file = write('own.csv', 'Day,Tenor,Bid\n30/06/2026,1M,10.25\n30/06/2026,6M,10.50\n');
  const target = join(folder, 'own.json');
  const inspected = await run('inspect', file, '--declare', 'own', '--write', target);
  expect(inspected).toMatchObject({ status: 0, err: '' });
  const mapping = join(folder, 'own-mapping.json');
  expect(inspected.out).toContain(`Wrote ${target} and ${mapping}.\nThen: tenor dataset declare`);
  const refused = await run('dataset', 'declare', '--create', target);
  expect(refused.status).toBe(1);
  expect(refused.err.split('\n').filter((line) => line.startsWith('$'))).toHaveLength(3);
  const answered = readFileSync(target, 'utf8')
    .replace('"unit": "?"', '"unit": "percent"')
    .replace('"kind": "?"', '"kind": "rate"')
    .replace('"?"', '"Rates"');
  writeFileSync(target, answered);
  expect(await run('dataset', 'declare', '--create', target)).toMatchObject({ status: 0 });
  expect(await run('load', 'own', file, '--mapping', mapping)).toMatchObject({ status: 0 });
  const again = await run('inspect', file, '--for', 'own', '--json');
  expect(JSON.parse(again.out).start).toMatchObject({
    kind: 'mapping',
    missing: [],
    questions: [],
  });
});

test('inspect --declare with a title, a unit and a kind leaves nothing open in a plain table', async () => {
  const env = { DATABASE_URL: `sqlite:${join(folder, 'y.db')}` };
  const run = (...args: string[]) => runTenor(args, env);
  const file = write(
    'plain.csv',
    'Month,Bank,Loans,Share %\nMay 2026,A,1.5,10 %\nMay 2026,B,2,90 %\n',
  );
  const target = join(folder, 'plain.json');
  const answers = ['--title', 'Loans', '--unit', 'PKR billion', '--kind', 'stock'];
  await run('inspect', file, '--declare', 'plain', '--write', target, ...answers);
  expect(JSON.parse(readFileSync(target, 'utf8'))).toMatchObject({
    title: 'Loans',
    measures: [
      { field: 'loans', unit: 'PKR billion', kind: 'stock' },
      { field: 'share', unit: 'percent', kind: 'stock' },
    ],
  });
  expect(await run('dataset', 'declare', '--create', target)).toMatchObject({ status: 0 });
  const mapping = join(folder, 'plain-mapping.json');
  const loaded = await run('load', 'plain', file, '--mapping', mapping);
  expect(loaded.out).toContain('2 added');
});

test('inspect --declare takes answers for some of the figures, and a period of two columns', async () => {
  const env = { DATABASE_URL: `sqlite:${join(folder, 'z.db')}` };
  const run = (...args: string[]) => runTenor(args, env);
  const file = write('joined.csv', 'Month,Year,Count,Value\nJanuary,2026,10,1.5\n');
  const target = join(folder, 'joined.json');
  const inspect = (...answers: string[]) =>
    run(
      'inspect',
      file,
      '--declare',
      'joined',
      '--write',
      target,
      '--title',
      'Payments',
      ...answers,
    );
  expect((await inspect('--unit', 'counts=million')).err).toContain(
    'no figure is called counts; there are count, value',
  );
  expect((await inspect('--unit', 'a b', '--unit', 'c')).err).toContain('given twice for all');
  const units = ['--unit', 'count=transactions', '--unit', 'index, 2015=100'];
  expect(await inspect(...units, '--kind', 'flow', '--kind', 'value=index')).toMatchObject({
    status: 0,
  });
  expect(JSON.parse(readFileSync(target, 'utf8')).measures).toMatchObject([
    { field: 'count', unit: 'transactions', kind: 'flow' },
    { field: 'value', unit: 'index, 2015=100', kind: 'index' },
  ]);
  expect(await run('dataset', 'declare', '--create', target)).toMatchObject({ status: 0 });
  const mapping = join(folder, 'joined-mapping.json');
  expect(await run('load', 'joined', file, '--mapping', mapping)).toMatchObject({ status: 0 });
  const exported = await run('export', 'joined', '--format', 'ndjson');
  expect(exported.out).toBe('{"month":"Jan 2026","count":10,"value":1.5}\n');
});

test('inspect --declare reads the names of objects in JSON as a dimension', async () => {
  const env = { DATABASE_URL: `sqlite:${join(folder, 'j.db')}` };
  const run = (...args: string[]) => runTenor(args, env);
  const banks = { A: [{ month: 'Jan 2026', value: 1 }], B: [{ month: 'Jan 2026', value: 2.5 }] };
  const file = write('nested.json', JSON.stringify({ source: 'x', banks }));
  const target = join(folder, 'nested.json.json');
  const answers = ['--title', 'Loans', '--unit', 'PKR billion', '--kind', 'stock'];
  await run('inspect', file, '--declare', 'nested', '--write', target, ...answers);
  expect(await run('dataset', 'declare', '--create', target)).toMatchObject({ status: 0 });
  const adapter = join(folder, 'nested.json-adapter.ts');
  expect(await run('load', 'nested', file, '--adapter', adapter)).toMatchObject({ status: 0 });
  const exported = await run('export', 'nested', '--format', 'ndjson');
  expect(exported.out).toBe(
    '{"month":"Jan 2026","banks":"A","value":1}\n{"month":"Jan 2026","banks":"B","value":2.5}\n',
  );
});

test.each([
  [['--unit', 'percent'], '--unit needs --declare NAME'],
  [
    ['--declare', 'own', '--kind', 'level'],
    '--kind must be "flow" or "stock" or "rate" or "index"',
  ],
  [['--declare', 'Own'], '--declare NAME must match'],
  [['--declare', 'quotes'], '--declare NAME must be another: quotes is reserved'],
  [['--declare', 'own', '--for', 'quotes'], 'give --for or --declare, not both'],
  [['--declare', 'own', '--write', 'a.ts'], '--write takes a FILE that ends in .json'],
  [['--declare', 'own', '--replace'], '--replace needs --write FILE'],
])('inspect %j is rejected before the file is read', async (args, message) => {
  const { status, err } = await runTenor(['inspect', 'missing.csv', ...args]);
  expect(err).toContain(message);
  expect(status).toBe(2);
});
