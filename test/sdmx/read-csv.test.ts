import { describe, expect, test } from 'bun:test';
import type { Catalogue } from '../../src/catalogue/catalogues.ts';
import {
  branchlessBankingAgents,
  ivrBankingAnnualValue,
} from '../../src/catalogue/datasets/series/index.ts';
import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import type { Declaration } from '../../src/catalogue/model/declaration.ts';
import { hasFlow } from '../../src/catalogue/model/sdmx-address.ts';
import type { Mapping } from '../../src/publish/mapping/mapping.ts';
import { DATA_DETAILS, type DataQuery } from '../../src/sdmx/message-query.ts';
import { writeMessage } from '../../src/sdmx/write-message.ts';
import { readFixture } from '../support/fixtures.ts';
import { createLoadWorkspace, useLoadWorkspace } from '../support/load-workspace.ts';
import { encodeRow, publishAt } from '../support/publish-at.ts';
import { ENGINES, type TestStore } from '../support/store.ts';

const GROWTH: Declaration = {
  name: 'fiscal-growth',
  title: 'Growth',
  period: { kind: 'year', field: 'year', yearStart: 7 },
  dimensions: [
    { field: 'country', title: 'Country' },
    { field: 'freq', title: 'A dimension that is named like that of SDMX' },
  ],
  measures: [
    { field: 'gdp', title: 'GDP', unit: 'PKR billion', currency: 'PKR', scale: 1e9, kind: 'flow' },
    { field: 'growth', title: 'Growth', unit: 'percent', kind: 'rate', decimals: 1 },
  ],
  status: true,
};
const growth = createDeclaredDataset(GROWTH);
const GROWTH_RECORDS = [
  { year: 'FY2026', country: 'Korea Rep.', freq: 'x, "y"', gdp: 11, growth: null, status: 'P' },
  { year: 'FY2025', country: 'Korea Rep.', freq: 'x, "y"', gdp: 10.5, growth: 1e-7, status: 'A' },
  { year: 'FY2026', country: 'Korea_Rep_', freq: 'z', gdp: 7, growth: -3, status: 'E' },
];

/** Calendar years, and a fiscal one among them, whose first month only some messages say. */
const MIXED_RECORDS = readFixture(ivrBankingAnnualValue)
  .slice(0, 3)
  .map((each, index) => ({ ...each, year: ['2026', 'FY25', '2023'][index] }));

const RATES: Declaration = {
  name: 'exr',
  title: 'Exchange rates',
  period: { kind: 'month', field: 'time_period' },
  dimensions: [
    { field: 'currency', title: 'Currency', codes: { USD: 'US dollar', JPY: 'Yen' } },
    { field: 'obs_status_code', title: 'A dimension with a reserved name' },
  ],
  measures: [{ field: 'value', title: 'Rate', unit: 'rupees', kind: 'rate' }],
  status: true,
};
const rates = createDeclaredDataset({ ...RATES, coverage: 'open' });

async function write(
  store: TestStore,
  dataset: Dataset,
  changes: Partial<DataQuery> = {},
): Promise<string> {
  const reader = store.reader();
  const revision = await reader.revision();
  const query = { detail: 'full', dimensionAtObservation: 'TIME_PERIOD', format: 'csv' } as const;
  const message = {
    agency: 'TENOR',
    revision,
    newest: revision,
    prepared: { revision, publishedAt: '2026-01-01T00:00:00.000Z' },
    content: { kind: 'data', dataset: dataset.name, query: { ...query, ...changes } },
  } as const;
  const options = { signal: new AbortController().signal, reportAllocatedBytes() {} };
  const chunks: Uint8Array[] = [];
  const catalogue = { get: () => dataset } as unknown as Catalogue;
  for await (const chunk of writeMessage(reader, catalogue, message, options)) chunks.push(chunk);
  reader.close();
  return Buffer.concat(chunks).toString();
}

describe.each(ENGINES)('SDMX-CSV on $name', ({ createStore, datasets }) => {
  const series = [
    ...datasets.filter(hasFlow).map((dataset) => ({ dataset, records: readFixture(dataset) })),
    { dataset: growth, records: GROWTH_RECORDS },
    { dataset: ivrBankingAnnualValue, records: MIXED_RECORDS },
  ].map((each) => ({ ...each, name: each.dataset.name }));
  test.each(series)(
    '$name: a file of a data message gives the same message elsewhere',
    async ({ dataset, records }) => {
      const source = await createLoadWorkspace(createStore);
      const target = await createLoadWorkspace(createStore);
      await source.store.publish(dataset, records);
      for (const format of ['csv', 'csv2'] as const) {
        const text = await write(source.store, dataset, { format });
        target.writeFile('data.csv', text);
        await target.load(dataset, 'data.csv');
        expect(await write(target.store, dataset, { format })).toBe(text);
      }
      await source.close();
      await target.close();
    },
  );

  test.each(series)(
    '$name: a data message of every detail and both versions changes nothing, statuses and years included',
    async ({ dataset, records }) => {
      const workspace = await createLoadWorkspace(createStore);
      const [first = {}, ...others] = records as readonly AnyRecord[];
      // Of the records that are changed last, the status is another one.
      await publishAt(workspace.store, 0, dataset, { records: others });
      await publishAt(workspace.store, 0, dataset, { rows: [[encodeRow(dataset, first, 'P')]] });
      const before = await workspace.store.history(dataset);
      for (const format of ['csv', 'csv2'] as const)
        for (const detail of DATA_DETAILS) {
          const text = await write(workspace.store, dataset, { format, detail });
          workspace.writeFile('data.csv', text);
          const { revision, counts } = await workspace.load(dataset, 'data.csv');
          const unchanged = /TIME_PERIOD/.test(text) ? records.length : 0;
          expect([detail, format, revision, counts.unchanged]).toEqual([
            ...[detail, format, undefined, unchanged],
          ]);
        }
      expect(await workspace.store.history(dataset)).toEqual(before);
      await workspace.close();
    },
  );

  test('rows that delete records retire these', async () => {
    const workspace = await createLoadWorkspace(createStore);
    await workspace.store.publish(growth, GROWTH_RECORDS);
    const text = await write(workspace.store, growth, { format: 'csv2' });
    const [header, ...lines] = text.trim().split('\n');
    const deleted = lines.map((line) =>
      line.includes('Korea_Rep__2') ? line.replace(',I,', ',D,') : line,
    );
    expect(deleted).not.toEqual(lines);
    workspace.writeFile('data.csv', [header, ...deleted, ''].join('\n'));
    await expect(workspace.load(growth, 'data.csv')).rejects.toThrow(
      'ACTION D would retire 1 of 3 records of fiscal-growth, more than 10 %',
    );
    const options = { canRetireMany: true };
    const { counts } = await workspace.load(growth, 'data.csv', options);
    expect(counts).toEqual({ added: 0, corrected: 0, retired: 1, unchanged: 2 });
    const again = await workspace.load(growth, 'data.csv', options);
    expect(again.revision).toBeUndefined();
    expect((await workspace.readRecords(growth)).map(({ country }) => country)).toEqual([
      'Korea Rep.',
      'Korea Rep.',
    ]);
    await workspace.close();
  });
});

describe('SDMX-CSV of an agency', () => {
  const workspace = useLoadWorkspace();
  const load = async (text: string, mapping: Mapping = {}): Promise<AnyRecord[]> => {
    workspace.writeFile('d.csv', text);
    await workspace.load(rates, 'd.csv', { mapping });
    return workspace.readRecords(rates);
  };
  const loadInvalid = (text: string, dataset: Dataset = rates) => {
    workspace.writeFile('d.csv', text);
    return workspace.loadProblems(dataset, 'd.csv');
  };
  const record = (month: string, currency: string, value: number | null, status = 'A') => ({
    time_period: month,
    currency,
    obs_status_code: 'a',
    value,
    status,
  });

  test.each([
    [
      'titles of columns and codes',
      'STRUCTURE,STRUCTURE_ID,ACTION,"FREQ:Frequency","CURRENCY: Currency",OBS_STATUS_CODE,"TIME_PERIOD:Time","OBS_VALUE:Value","OBS_STATUS:Status"\ndataflow,BIS:EXR(1.0),R,"M: Monthly","USD: US dollar",a,2026-01,280.5,"P: Provisional"\n',
      [record('Jan 2026', 'USD', 280.5, 'P')],
    ],
    [
      'small letters, attributes and missing values',
      'DATAFLOW,LAST UPDATE,freq,currency,obs_status_code,TIME_PERIOD,OBS_VALUE,OBS_FLAG,NOTE\nESTAT:EXR(1.0),01/02/26,M,USD,a,2026-M1,280.5,e,\nESTAT:EXR(1.0),01/02/26,M,JPY,a,2026-01,NaN,,x\n',
      [record('Jan 2026', 'JPY', null), record('Jan 2026', 'USD', 280.5, 'E')],
    ],
    [
      'months by their first day',
      'DATAFLOW,CURRENCY,OBS_STATUS_CODE,TIME_PERIOD,OBS_VALUE\nEXR,USD,a,2026-01-01,1e2\n',
      [record('Jan 2026', 'USD', 100)],
    ],
  ])('is read with %s', async (_, text, records) => {
    expect(await load(text)).toEqual(records);
  });

  test.each(['freq', 'Freq', 'FREQ', 'frequency', 'FREQUENCY'])(
    'has the frequency in letters of either case, as others write it, in the column %s',
    async (column) => {
      for (const code of ['M', 'm', 'm: Monthly'])
        expect(
          await load(
            `DATAFLOW,${column},CURRENCY,OBS_STATUS_CODE,TIME_PERIOD,OBS_VALUE\nEXR,${code},USD,a,2026-01,1\n`,
          ),
        ).toEqual([record('Jan 2026', 'USD', 1)]);
    },
  );

  test('that deletes a few of many records needs no option', async () => {
    const header = 'DATAFLOW,CURRENCY,OBS_STATUS_CODE,TIME_PERIOD,OBS_VALUE,ACTION';
    const rows = Array.from({ length: 12 }, (_, index) => `EXR,USD,${index},2026-01,1,A`);
    // As the command line has it where no option maps anything.
    await load([header, ...rows, ''].join('\n'), { columns: {}, fields: {} });
    expect(await load(`${header}\nEXR,USD,3,2026-01,,D\n`)).toHaveLength(11);
  });

  const HEADER = 'DATAFLOW,FREQ,CURRENCY,OBS_STATUS_CODE,TIME_PERIOD,OBS_VALUE,UNIT_MULT';
  const row = 'BIS:EXR(1.0),M,USD,a,2026-01,1,0';

  test('is read with semicolons, and with decimal commas if that is said', async () => {
    const text =
      'STRUCTURE[|];STRUCTURE_ID;CURRENCY;OBS_STATUS_CODE;TIME_PERIOD;OBS_VALUE\ndataflow;BIS:EXR(1.0);USD;a;2026-01;280,5\n';
    expect(await load(text, { decimal: ',' })).toEqual([record('Jan 2026', 'USD', 280.5)]);
  });

  test('takes another dataflow if a mapping leaves out its column', async () => {
    const mapping = { columns: { DATAFLOW: null } };
    expect(await load(`${HEADER}\n${row.replace('EXR', 'OTHER')}\n`, mapping)).toHaveLength(1);
  });

  test('is a table like any other for a mapping that names its columns', async () => {
    const mapping: Mapping = {
      columns: { TIME_PERIOD: 'time_period', OBS_VALUE: 'value' },
      otherColumns: 'ignore',
      periods: 'sbp',
    };
    expect(await load(`${HEADER}\n${row.replace('EXR', 'OTHER')}\n`, mapping)).toHaveLength(1);
  });

  test.each([
    [
      ['BIS:CPI(1.0),M,USD,a,2026-01,1,0'],
      'line 2: BIS:CPI(1.0) is no data of exr; --map DATAFLOW= loads it as such',
    ],
    [['BIS:EXR(1.0),Q,USD,a,2026-01,1,0'], 'line 2: FREQ is Q, but exr has M'],
    [[row, row.replace(/0$/, '6')], 'line 3: UNIT_MULT is 6, but value has 0 elsewhere'],
    [['BIS:EXR(1.0),M,USD,a,2026-01,1'], 'line 2: it has 6 cells, and the header 7'],
  ])('%j: is rejected with the first problem', async (rows, problem) => {
    expect(await loadInvalid([HEADER, ...rows, ''].join('\n'))).toEqual([`d.csv: ${problem}`]);
  });

  test.each([
    ['DATAFLOW,TIME_PERIOD,OBS_VALUE\n', 'has no column CURRENCY, for currency of exr'],
    [
      'DATAFLOW,CURRENCY,OBS_STATUS_CODE,TIME_PERIOD\n',
      'has no column OBS_VALUE, as SDMX-CSV with observations has',
    ],
    [
      `${HEADER.replace('FREQ', 'FREQUENCY')}\n${row.replace('M', 'Q')}\n`,
      'line 2: FREQ is Q, but exr has M',
    ],
    [`${HEADER},ACTION\n${row},X\n`, 'line 2: ACTION is X, which must be one of I, A, M, R, D'],
  ])('%j: names what is missing or unknown', async (text, problem) => {
    const [message = ''] = await loadInvalid(text);
    expect(message.replace(/^d\.csv:? /, '')).toBe(problem);
  });

  const IVR =
    'DATAFLOW,FREQ,MEASURE,TIME_PERIOD,OBS_VALUE,OBS_STATUS,ACTION,REPORTING_YEAR_START_DAY';
  const ivr = (measure: string, action = 'I', period = '2024-A1') =>
    `T:IVR_BANKING_ANNUAL_VALUE(1.0),A,${measure},${period},1,A,${action},--07-01`;

  test.each([
    [[ivr('total'), ivr('total')], 'line 3: total of FY2025 is given again'],
    [[ivr('unknown')], 'line 2: MEASURE is unknown, but ivr-banking-annual-value has '],
    [[ivr('', 'I')], 'line 2: MEASURE is blank'],
  ])('%j: is rejected for what it says of the figures of a record', async (rows, problem) => {
    const [text = ''] = await loadInvalid([IVR, ...rows, ''].join('\n'), ivrBankingAnnualValue);
    expect(text).toContain(`d.csv: ${problem}`);
  });

  test('a list whose parts no record has yet is read by their names', async () => {
    workspace.writeFile(
      'd.csv',
      ['total', 'provinces_punjab', 'provinces_sindh']
        .map((measure, index) => `T:BRANCHLESS_BANKING_AGENTS(1.0),${measure},2026-01,${index + 1}`)
        .toSpliced(0, 0, 'DATAFLOW,MEASURE,TIME_PERIOD,OBS_VALUE')
        .join('\n'),
    );
    await workspace.load(branchlessBankingAgents, 'd.csv');
    expect(await workspace.readRecords(branchlessBankingAgents)).toEqual([
      {
        period: 'Jan 2026',
        total: 1,
        provinces: [
          { key: 'punjab', value: 2 },
          { key: 'sindh', value: 3 },
        ],
      },
    ]);
  });
});
