import { describe, expect, test } from 'bun:test';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { onlineBankingAnnualVolume as online } from '../../src/catalogue/datasets/series/index.ts';
import { formatReport } from '../../src/cli/format.ts';
import { NUMBER, RECORD, useFileLoader } from './file-loader.ts';

const { workspace, read, loadInvalid } = useFileLoader();

describe('a JSON file', () => {
  const json = JSON.stringify;

  test.each([
    ['a list', json([RECORD])],
    ['the envelope of a response', json({ status: 'ok', message: '', data: [RECORD] })],
    ['one record', json(RECORD)],
    ['a record on each line', `${json(RECORD)}\n\n`],
    ['numbers in quotes', json([{ ...RECORD, total: '199.1', year: 2024 }])],
  ])('is read as %s', async (_, content) => {
    expect(await read('a.json', content)).toEqual([RECORD]);
  });

  test.each([
    ['a list', json([fundAllocation.example])],
    [
      'the envelope of a response',
      json({ status: 'ok', data: fundAllocation.example, message: '' }),
    ],
    ['one fund', json(fundAllocation.example)],
    ['a fund on each line', `${json(fundAllocation.example)}\n`],
  ])('of funds is read as %s', async (_, content) => {
    expect(await read('a.json', content, {}, fundAllocation)).toEqual([fundAllocation.example]);
  });

  test('with one record on each line has problems with the line', async () => {
    const lines = [RECORD, { ...RECORD, year: '2025', total: 'n/a' }].map((record) => json(record));
    const [message] = await loadInvalid('a.ndjson', lines.join('\n'));
    expect(message).toStartWith('a.ndjson line 2, total: "n/a" must be a number');
  });

  test('with several records on one line has problems with the record, also for duplicate keys', async () => {
    const invalid = { ...RECORD, year: '2025', total: 'n/a' };
    const [message] = await loadInvalid('a.json', json({ status: 'ok', data: [RECORD, invalid] }));
    expect(message).toStartWith('a.json record 2 (line 1), total: "n/a" must be a number');
    const [duplicate] = await loadInvalid('b.json', `[${json(RECORD)},\n${json(RECORD)}]`);
    expect(duplicate).toStartWith('b.json record 2 (line 2), year: "2024" must be given once');
    expect(duplicate).toEndWith('b.json record 1 (line 1) has the same');
  });

  test('has warnings with the record', async () => {
    workspace.writeFile('a.json', json([RECORD, { ...RECORD, year: '2025', total: 500 }]));
    const { report } = await workspace.load(online, 'a.json');
    expect(report.warnings[0]?.first).toMatchObject([{ place: 'record', at: 2, line: 1 }]);
    expect(formatReport(report).join('\n')).toContain('  a.json record 2 (line 1), total: ');
  });

  test.each([
    ['no end', '[{"year":"2024"', ' is cut short: its JSON has no end'],
    [
      'a failed response',
      json({ status: 'error', message: 'no such' }),
      ' is the reply to a request that failed: "no such"',
    ],
    [
      '1e400',
      json([RECORD]).replace('199.1', '1e400'),
      ` record 1 (line 1), total: "1e400" must be ${NUMBER}`,
    ],
    [
      'null for a number',
      json([{ ...RECORD, total: null }]),
      ` record 1 (line 1), total: "" must be ${NUMBER}; it is blank (--blank zero takes it as 0)`,
    ],
    [
      'true for a number',
      json([{ ...RECORD, total: true }]),
      ` record 1 (line 1), total: true must be ${NUMBER}`,
    ],
    [
      'a field that is not there',
      json([{ ...RECORD, total: undefined }]),
      ` record 1 (line 1), total: missing; must be ${NUMBER}`,
    ],
    [
      'a field too many',
      json([{ ...RECORD, note: 'x' }]),
      ' record 1 (line 1), note: "x" must be absent: the dataset has no such field',
    ],
    [
      'a response without its status',
      json({ data: [RECORD] }),
      ` record 1 (line 1): ${json({ data: [RECORD] }).slice(0, 60)}… must be an object with fields of online-banking-annual-volume: year, cash_wtl, cash_deposit, funds_transfer, total; of a reply, give the list in "data", or all of it with its "status"; tenor inspect writes an adapter for others`,
    ],
    ['text for a record', '["x"]', ' record 1 (line 1): "x" must be an object'],
  ])('with %s is rejected with one problem', async (_, content, problem) => {
    expect(await loadInvalid('a.json', content)).toEqual([`a.json${problem}`]);
  });

  test('of a fund with fewer values than periods is rejected', async () => {
    const rows = [{ label: 'Cash', values: [100] }];
    const content = json({ ...fundAllocation.example, rows });
    expect(await loadInvalid('a.json', content, {}, fundAllocation)).toEqual([
      'a.json record 1 (line 1), rows: [{"label":"Cash","values":[100]}] must be 2 values, one per period, in "Cash"',
    ]);
  });
});

test('records that have names of their own are rejected when they are too many', async () => {
  const lines = Array.from({ length: 50_001 }, (_, index) => `{"k${index}":1}\n`);
  expect(await loadInvalid('a.ndjson', lines.join(''))).toEqual([
    'a.ndjson has too many records that differ in their names: more than 50,000 names in all',
  ]);
});
