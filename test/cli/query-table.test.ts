import { describe, expect, test } from 'bun:test';
import { getShippedCatalogue } from '../../src/catalogue/catalogues.ts';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import {
  branchlessBankingAgents,
  onlineBankingAnnualVolume,
} from '../../src/catalogue/datasets/series/index.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { listOperationNames } from '../../src/cli/query/query-target.ts';
import { displayWidth } from '../../src/cli/terminal/text.ts';
import { createDataRoutes } from '../../src/http/server/routes.ts';
import { readFixture } from '../support/fixtures.ts';
import { createLoadWorkspace } from '../support/load-workspace.ts';
import { publishAt } from '../support/publish-at.ts';
import { quote } from '../support/quote-fixture.ts';
import { runTenor } from '../support/run-tenor.ts';
import { createStore, FILLED_DATASETS } from '../support/store.ts';
import { createQueryWorkspace, FUND, ONLINE, queryOn } from './query-workspace.ts';

const { server, query, fetchBody } = createQueryWorkspace();

const SYMBOL = String(readFixture(quotes)[0]?.symbol);

/** The parameters that an operation requires, with the values of their examples. */
function listRequired(name: string): string[] {
  const { routes } = createDataRoutes()(getShippedCatalogue(catalogue));
  const route = routes.find(({ operation }) => operation?.name === name.split('/')[0]);
  const parameters = route?.operation?.parameters ?? {};
  return Object.entries(parameters).flatMap(([parameter, { isRequired, example }]) =>
    isRequired ? [`${parameter}=${parameter === 'symbol' ? SYMBOL : example}`] : [],
  );
}

describe('tenor query', () => {
  test('prints growth of a series by its name, in the units and periods of the result', async () => {
    const { out } = await query(ONLINE, 'units=pch', 'limit=2');
    expect(out.split('\n')[1]).toBe(`percent · 2 records · revision ${FILLED_DATASETS.length}`);
    expect(out).toContain('2025  3.66056572379367');
    const { out: quarters } = await query(branchlessBankingAgents.name, 'frequency=quarter');
    expect(quarters).toContain('Q1 2024');
    expect(quarters).toContain('observed  expected');
  });

  test('prints the columns and rows of CSV, whatever the operation', async () => {
    const queries = [['curve'], ['funds'], ['vintages/quotes'], ['quotes', 'fields=symbol,ytm']];
    for (const args of [...queries, [fundAllocation.name, `fund_id=${FUND}`]]) {
      const { out } = await query(...args, '--width', '999');
      const csv = await query(...args, '--csv');
      const [header = '', ...records] = csv.out.trimEnd().split('\r\n');
      for (const name of header.split(',')) expect(out).toContain(name);
      expect(out).toMatch(new RegExp(`(^|· )${records.length} (record|period)s? ·`, 'm'));
    }
  });

  test('prints a caption and a table', async () => {
    const env = { DATABASE_URL: server.store.url };
    expect(await runTenor(['query', ONLINE, '--width', '80'], env)).toEqual({
      status: 0,
      out: [
        'Real-time online banking transactions, annual volume',
        `million transactions · 3 records · revision ${FILLED_DATASETS.length}`,
        '',
        'year  cash_wtl  cash_deposit  funds_transfer  total',
        '────  ────────  ────────────  ──────────────  ─────',
        '2025      62.3          81.2            50.4  193.9',
        '2024      60.1          81.2            50.4  191.7',
        '2023      58            81.2            50.4  189.6',
        '',
      ].join('\n'),
      err: '',
    });
  });

  test('prints a table for every operation', async () => {
    // Nothing has been corrected in this store.
    const names = listOperationNames()
      .filter((name) => name !== 'corrections/DATASET')
      .map((name) => name.replace(/N$/, '3').replace('DATASET', quotes.name));
    expect(names).toEqual(
      expect.arrayContaining([
        'catalogue',
        'securities',
        'revisions',
        'revisions/3',
        'changes/quotes',
      ]),
    );
    for (const name of names) {
      const parameters = name === fundAllocation.name ? [`fund_id=${FUND}`] : listRequired(name);
      const { status, err, out } = await query(name, ...parameters);
      expect({ name, status, err }).toEqual({ name, status: 0, err: '' });
      expect(out).toMatch(
        new RegExp(`\\n(.* · )?\\d+ (record|period)s? · revision ${FILLED_DATASETS.length}\\n\\n`),
      );
      expect(out).toContain('\n─');
    }
  });

  test('prints a fund with a row for each period and a column for each asset class', async () => {
    const { out } = await query(fundAllocation.name, `fund_id=${FUND}`);
    const lines = out.split('\n');
    const body = await fetchBody(`/3.0/funds/allocation?fund_id=${FUND}`);
    const { periods, rows } = JSON.parse(body).data as typeof fundAllocation.example;
    const head = lines.findIndex((line) => /^fund_id +period/.test(line));
    for (const { label } of rows) expect(lines[head]).toContain(label);
    const shown = lines.slice(head + 2, head + 2 + periods.length);
    expect(shown.map((line) => line.split(/\s{2,}/).slice(1, 3 + rows.length))).toEqual(
      periods.map(({ label, date }, index) => [
        label,
        date,
        ...rows.map(({ values }) => String(values[index])),
      ]),
    );
  });

  test('prints a missing key of a list as –', async () => {
    await using emptyStore = await createStore();
    const month = (period: string, provinces: readonly (readonly [string, number])[]) => ({
      period,
      total: 9,
      provinces: provinces.map(([key, value]) => ({ key, value })),
    });
    const records = [month('Jan 2024', [['kpk', 4]]), month('Feb 2024', [['sindh', 2]])];
    await emptyStore.publish(branchlessBankingAgents, records);
    const { out } = await queryOn(emptyStore, branchlessBankingAgents.name);
    expect(out).toMatch(/^Feb 2024 +9 +(2 +–|– +2)$/m);
  });

  test('prints the columns of a response in the order in which records have them, without sparklines', async () => {
    const { out } = await query('quotes', 'symbol=ZZ12TB140127', 'from=2026-01-01');
    expect(out).toMatch(/^date +symbol +isin +type +maturityDate/m);
    expect(out).toContain('2026-04-08');
    expect(out).not.toMatch(/trend|[▁▂▃▄▅▆▇█]/);
  });

  test('prints a correction as two rows, also of a fund, whose rows are its periods', async () => {
    await using store = await createStore();
    const { periods, rows } = fundAllocation.example;
    const [first, ...others] = rows;
    const changed = { label: first?.label ?? '', values: periods.map((_, index) => index) };
    await store.publish(fundAllocation, [fundAllocation.example]);
    await store.publish(fundAllocation, [
      { ...fundAllocation.example, rows: [changed, ...others] },
    ]);
    const { out } = await queryOn(store, 'corrections/fund-allocation');
    const versions = Array.from(out.matchAll(/ (old|new) +\S/g), ([, version]) => version);
    expect(versions).toEqual([...periods.map(() => 'old'), ...periods.map(() => 'new')]);
  });

  test('prints a caption without a table if there are no records', async () => {
    const result = await query('quotes', 'symbol=NOBODY');
    const out = `Bill and bond quotes\n0 records · revision ${FILLED_DATASETS.length}\n`;
    expect(result).toEqual({ status: 0, out, err: '' });
  });

  test('prints at most 10,000 records as a table, and says how to get all', async () => {
    await using emptyStore = await createStore();
    const records = Array.from({ length: 10_001 }, (_, index) => quote({ symbol: `S${index}` }));
    await emptyStore.publish(quotes, records);
    const table = await queryOn(emptyStore, 'quotes', '--all');
    expect(table.out).toContain('10,000 records · revision 1\n');
    const note = 'showing 10,000 of 10,001 records; use --csv --all for all';
    expect(table.err).toBe(`tenor: ${note}\n`);
    const csv = await queryOn(emptyStore, 'quotes', '--all', '--csv');
    expect(csv.out.split('\r\n')).toHaveLength(1 + 10_001 + 1);
    expect(csv.err).toBe('');
  });

  test('escapes control characters', async () => {
    await using emptyStore = await createStore();
    const fund = { ...fundAllocation.example, fund_id: 'a', frequency: '\u009b31mred\u202e' };
    // As an older version accepted it.
    await publishAt(emptyStore, '2026-01-01', fundAllocation, { records: [fund] });
    const { out } = await queryOn(emptyStore, 'fund-allocation', 'fund_id=a');
    expect(out).toContain('  \\u009b31mred\\u202e\n');
  });
});

test('tenor query revisions/N prints the load report, wrapped to the width', async () => {
  const loads = await createLoadWorkspace();
  const rows = [2020, 2021, 2022, 2023].map((year) => [year, 1, 1, 1, 9]);
  loads.writeFile('a.csv', [
    ['Table 5'],
    ['year', 'cash_wtl', 'cash_deposit', 'funds_transfer', 'total'],
    ...rows,
  ]);
  await loads.load(onlineBankingAnnualVolume, 'a.csv');
  const { out } = await queryOn(loads.store, 'revisions/1', '--width', '70');
  const sum = 'total: cash_wtl + cash_deposit + funds_transfer =';
  expect(out).toContain(
    [
      'unchanged    0',
      '',
      'Read 4 records.',
      'Left out: a.csv: line 1 to the header in line 2.',
      'Warning parts-off-total (4): the parts do not add up to the total,',
      '    within 0.05 × (parts + 1) in the unit of the series',
      `  a.csv line 3, ${sum}`,
      '      3, total says 9; off by 6, tolerance 0.2 (4 times: next at line',
      '      4, line 5, line 6)',
      '',
      '',
    ].join('\n'),
  );
  expect(Math.max(...out.split('\n').map(displayWidth))).toBeLessThanOrEqual(70);
  await loads.close();
});

test('tenor query fields=… and shape=wide print a table', async () => {
  const { out } = await query('quotes', 'fields=date');
  expect(out.split('\n').slice(3, 5)).toEqual(['date', '──────────']);
  const curve = await query('curve', 'from=2026-01-01', 'shape=wide');
  expect(curve).toMatchObject({ status: 0, err: '' });
});

test('tenor query prints texts as they are, without the apostrophe that CSV puts before formulas', async () => {
  await using store = await createStore();
  await store.publish(quotes, [quote({ symbol: '=A1' }), quote({ symbol: "'=B" })]);
  const { out } = await queryOn(store, 'quotes', 'fields=symbol');
  expect(out.split('\n').slice(-3)).toEqual(["'=B", '=A1', '']);
});
