import { describe, expect, test } from 'bun:test';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { fundAllocation } from '../../../src/catalogue/datasets/fund-allocation.ts';
import {
  onlineBankingAnnualVolume as online,
  mobileMoneyMarketShareValue as shares,
} from '../../../src/catalogue/datasets/series/index.ts';
import { withAdapter } from '../../../src/publish/adapter/run-adapter.ts';
import { buildParts, createZip } from '../../formats/support/workbook.ts';
import { kibor } from '../../support/declared-rates.ts';
import { HEADER, RECORD, ROW } from '../file-loader.ts';
import { useAdapterLoader } from './adapter-loader.ts';

const { workspace, load, loadInvalid } = useAdapterLoader();

const FIELDS = HEADER.split(',');
const toRecord = (row: string) =>
  `({ ${FIELDS.map((field) => `${field}: ${row}.get('${field}')`).join(', ')} })`;

/** Yields a record for each row of a table. */
const FROM_TABLE = `export default async function* (file) {
  for await (const row of file.table(['year', 'total'])) yield ${toRecord('row')};
}`;

const inlineCell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
const sheetRow = (line: string) => `<row>${line.split(',').map(inlineCell).join('')}</row>`;
const workbook = (sheets: Record<string, readonly string[]>) =>
  createZip(
    buildParts({
      sheets: Object.fromEntries(
        Object.entries(sheets).map(([name, lines]) => [name, lines.map(sheetRow).join('')]),
      ),
      states: { Hidden: 'state="hidden"' },
    }),
  );

describe('an adapter', () => {
  const { workspace, read, loadInvalid } = useAdapterLoader({ isInProcess: true });

  test('turns the rows of a table into records, whose texts are converted and checked', async () => {
    expect(await read('a.csv', `A title\n\n${HEADER}\n${ROW}\n`, FROM_TABLE)).toEqual([RECORD]);
  });

  test('makes records of columns that are values of a dimension', async () => {
    const adapter = `import { unpivot } from 'tenor';
export default async function* (file) {
  for await (const row of file.table(['Date'])) {
    const cells = unpivot(row, (column) => (column === 'Date' ? undefined : column));
    for (const { name, value } of cells) yield { date: row.get('Date'), tenor: name, bid: value };
  }
}`;
    expect(await read('w.csv', 'Date,1M,6M\n2026-06-01,11,11.1\n', adapter, kibor)).toEqual([
      { date: '2026-06-01', tenor: '1M', bid: 11, offer: null },
      { date: '2026-06-01', tenor: '6M', bid: 11.1, offer: null },
    ]);
  });

  test('may leave a field blank that --set gives, and no other', async () => {
    workspace.writeFile('set.csv', `${HEADER}\n,1,2,3,6\n`);
    const file = { path: workspace.writeFile('adapter.ts', FROM_TABLE), name: 'adapter.ts' };
    const loadWith = (fields: Record<string, string>) =>
      withAdapter(
        file,
        () => {},
        (adapter) => workspace.load(online, 'set.csv', { adapter, mapping: { fields } }),
      );
    await loadWith({ year: '2019' });
    expect(await workspace.readRecords(online)).toMatchObject([{ year: '2019', total: 6 }]);
    expect(await workspace.describeRejection(() => loadWith({ year: '2019', total: '7' }))).toEqual(
      ['set.csv line 2, total: "6" must be absent: --set or the mapping gives total as well'],
    );
  });

  test('has problems reported with the line that it read last', async () => {
    const content = `A title\n\n${HEADER}\n${ROW}\n2025,x,1,1,${'9'.repeat(17)}\nsoon,1,1,1,3\n`;
    expect(await loadInvalid('a.csv', content, FROM_TABLE)).toEqual([
      'a.csv line 5, cash_wtl: "x" must be a number; if "x" stands for no value, name it in the mapping\'s blanks',
      'a.csv line 5, total: "99999999999999999" must be a finite number; a whole one within ±(2^53 − 1)',
      'a.csv line 6, year: "soon" must be a year such as 2024, FY24 or 2023-24',
    ]);
  });

  test('reads the visible sheets of a workbook, and has problems reported with sheet and row', async () => {
    const content = await workbook({
      First: [HEADER, ROW],
      Hidden: [HEADER, '2020,1,1,1,3'],
      Second: ['Notes', HEADER, '2025,x,1,1,3', '2026,1,1,1,y'],
    });
    const adapter = `export default async function* (file) {
      for await (const sheet of file.sheets())
        for await (const row of sheet.table(['year'])) yield ${toRecord('row')};
    }`;
    expect(await loadInvalid('a.xlsx', content, adapter)).toEqual([
      expect.stringMatching(/^a\.xlsx sheet "Second" row 3, cash_wtl: "x" must be a number/),
      expect.stringMatching(/^a\.xlsx sheet "Second" row 4, total: "y" must be a number/),
    ]);
  });

  test('reads the sheet that is chosen, and rejects an encoding, which a workbook has not', async () => {
    const content = await workbook({ First: [HEADER, '2025,x,1,1,3'], Second: [HEADER, ROW] });
    const fromSheets = (options: string) => `export const options = ${options};
    export default async function* (file) {
      for await (const sheet of file.sheets())
        for await (const row of sheet.table(['year'])) yield ${toRecord('row')};
    }`;
    expect(await read('a.xlsx', content, fromSheets("{ sheet: 'Second' }"))).toEqual([RECORD]);
    expect(await loadInvalid('a.xlsx', content, fromSheets("{ encoding: 'latin1' }"))).toEqual([
      'a.xlsx has no encoding to choose: it is read as xlsx',
    ]);
  });

  test('has duplicate keys of two sheets reported with both locations', async () => {
    const content = await workbook({ A: [HEADER, ROW], B: [HEADER, ROW] });
    const adapter = `export default async function* (file) {
      for await (const sheet of file.sheets())
        for await (const row of sheet.table(['year'])) yield ${toRecord('row')};
    }`;
    expect(await loadInvalid('a.xlsx', content, adapter)).toEqual([
      'a.xlsx sheet "B" row 2, year: "2024" must be given once; a.xlsx sheet "A" row 2 has the same',
    ]);
  });

  test('says with at() where a record comes from, if not from the row that it read last', async () => {
    const adapter = `import { at } from 'tenor';
    export default async function* (file) {
      const rows = [];
      for await (const row of file.table(['year'])) rows.push(row);
      for (const row of rows) yield at(row, ${toRecord('row')});
    }`;
    const content = `${HEADER}\n2024,x,1,1,3\n${ROW.replace('2024', '2025')}\n`;
    expect(await loadInvalid('a.csv', content, adapter)).toEqual([
      expect.stringMatching(/^a\.csv line 2, cash_wtl: "x"/),
    ]);
  });

  test('reads nested JSON by a path, and has problems reported with the line', async () => {
    const content = `{"meta": {"rows": 0},
      "years": {
        "2024": {"values": [61.3, 82.6, 55.2]},
        "2025": {"values": [1, "x", 3]}}}`;
    const adapter = `export default async function* (file) {
      for await (const { keys: [year], value } of file.json('years.*.values')) {
        const [cash_wtl, cash_deposit, funds_transfer] = value;
        yield { year, cash_wtl, cash_deposit, funds_transfer, total: 199.1 };
      }
    }`;
    expect(await loadInvalid('a.json', content, adapter)).toEqual([
      expect.stringMatching(/^a\.json record 2 \(line 4\), cash_deposit: "x"/),
    ]);
    expect(await read('a.json', content.replace('"x"', '2'), adapter)).toHaveLength(2);
  });

  test('reads a text that is no table, and has problems reported by the number of the record', async () => {
    const adapter = `export default async function (file) {
      const text = await file.text();
      return [...text.matchAll(/<td>(.*?)<.td>/g)].map(([, year]) =>
        ({ year, cash_wtl: 1, cash_deposit: 1, funds_transfer: 1, total: 3 }));
    }`;
    const content = '<html><td>2024</td><td>soon</td></html>';
    expect(await loadInvalid('a.html', content, adapter)).toEqual([
      'a.html record 2, year: "soon" must be a year such as 2024, FY24 or 2023-24',
    ]);
  });

  test('says in its options how texts are to be read', async () => {
    const options = `export const options = { dataset: 'online-banking-annual-volume', decimal: ',' };`;
    const content = `${HEADER.replaceAll(',', ';')}\n2024;61,3;82,6;55,2;199,1\n`;
    expect(await read('a.csv', content, options + FROM_TABLE)).toEqual([RECORD]);
  });

  test('that does not know the decimal sign has ambiguous numbers rejected', async () => {
    const content = `${HEADER}\n2024,1,1,1,"98,125"\n`;
    const [problem] = await loadInvalid('a.csv', content, FROM_TABLE);
    expect(problem).toContain('"98,125" may be 98.125 or 98125: say --decimal , or --decimal .');
  });

  test('yields classes of a fund over several sheets, which become one record', async () => {
    const content = await workbook({
      'Jun 2026': ['Cash,40', 'Bills,60'],
      'May 2026': ['Cash,50', 'Bills,x'],
    });
    const adapter = `export default async function* (file) {
      for await (const sheet of file.sheets())
        for await (const row of sheet.rows())
          yield { fund_id: 'F', period: sheet.name, class: row.get(0), value: row.get(1) };
    }`;
    expect(await loadInvalid('a.xlsx', content, adapter, fundAllocation)).toEqual([
      expect.stringMatching(/^a\.xlsx sheet "May 2026" row 2, value: "x" must be a number/),
    ]);
    const valid = await workbook({
      'Jun 2026': ['Cash,40', 'Bills,60'],
      'May 2026': ['Cash,50', 'Bills,50'],
    });
    expect(await read('a.xlsx', valid, adapter, fundAllocation)).toMatchObject([
      { rows: [{ values: [40, 50] }, { values: [60, 50] }] },
    ]);
  });

  test('may give a list of keyed values as one row for each', async () => {
    const adapter = `export default async function* (file) {
      for await (const row of file.table(['bank']))
        yield { period: 'Jan 2024', 'operators:key': row.get('bank'), 'operators:value': row.get('share') };
    }`;
    expect(await read('a.csv', 'bank,share\nA,0.25\nB,75%\n', adapter, shares)).toMatchObject([
      {
        operators: [
          { key: 'A', value: 0.25 },
          { key: 'B', value: 0.75 },
        ],
      },
    ]);
  });

  test('is run for each of several files', async () => {
    const path = workspace.writeFile('adapter.ts', FROM_TABLE);
    workspace.writeFile('a.csv', `${HEADER}\n${ROW}\n`);
    workspace.writeFile('b.csv', `${HEADER}\n${ROW.replace('2024', '2025')}\n`);
    const { counts } = await withAdapter(
      { path, name: 'adapter.ts' },
      () => {},
      (adapter) => workspace.load(online, ['a.csv', 'b.csv'], { adapter }),
    );
    expect(counts.added).toBe(2);
  });

  test('streams: records of many batches are published in their order', async () => {
    const adapter = `export default function* () {
      for (let year = 1000; year < 2200; year++)
        yield { year, cash_wtl: 1, cash_deposit: 1, funds_transfer: 1, total: 3 };
    }`;
    expect((await load('a.txt', 'x', adapter)).counts.added).toBe(1200);
  });
});

test('the revision keeps the name and the SHA-256 of the adapter, and its options', async () => {
  const source = `export const options = { decimal: '.' };\n${FROM_TABLE}`;
  await load('a.csv', `${HEADER}\n${ROW}\n`, source);
  const reader = workspace.store.reader();
  const entry = await reader.ledgerEntry(1);
  reader.close();
  const sha256 = new Bun.CryptoHasher('sha256').update(source).digest('hex');
  expect(entry?.options).toEqual({
    mapping: { decimal: '.' },
    adapter: { name: 'adapter.ts', sha256 },
  });
});

test('an adapter that is written to while it runs is rejected', async () => {
  const source = `import { appendFileSync } from 'node:fs';
    appendFileSync(import.meta.path, ' ');
    ${FROM_TABLE}`;
  expect(await loadInvalid('a.csv', `${HEADER}\n${ROW}\n`, source)).toEqual([
    'adapter.ts was written to while it was read; load it again',
  ]);
});

test('an adapter reads a file in the encoding that is given or found, which the report names', async () => {
  const content = Buffer.from(`Año,${HEADER}\nx,${ROW}\n`, 'latin1');
  const { report } = await load('a.csv', content, FROM_TABLE);
  expect(JSON.stringify(report)).toContain('windows-1252');
  expect(await workspace.readRecords(online)).toEqual([RECORD]);
});

test('an adapter that is ended leaves no temporary file of a compressed workbook', async () => {
  const temporary = join(workspace.folder, 'tmp');
  mkdirSync(temporary);
  workspace.writeFile('a.xlsx.gz', gzipSync(await workbook({ A: [HEADER, ROW] })));
  const path = workspace.writeFile(
    'adapter.ts',
    'export default async function* (file) { for await (const _ of file.rows()) for (;;); }',
  );
  const list = () => readdirSync(temporary, { recursive: true, encoding: 'utf8' });
  const previous = process.env.TMPDIR;
  process.env.TMPDIR = temporary;
  try {
    const load = withAdapter(
      { path, name: 'adapter.ts' },
      () => {
        if (list().some((name) => name.endsWith('data'))) throw new Error('interrupted');
      },
      (adapter) => workspace.load(online, 'a.xlsx.gz', { adapter }),
    );
    expect(await load.catch((cause) => cause.message)).toBe('interrupted');
    expect(list()).toEqual([]);
  } finally {
    if (previous === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = previous;
  }
});

describe('the environment of an adapter', () => {
  /** Fails with all that it finds of the environment. */
  const SPY = `import { readFileSync } from 'node:fs';
    export default function* () {
      const { stdout } = Bun.spawnSync(['env']);
      const found = [process.env, Bun.env, stdout.toString(), readFileSync('/proc/self/environ', 'utf8')];
      throw new Error(JSON.stringify(found));
    }`;
  const SECRETS = ['API_TOKEN', 'DATABASE_URL', 'PGPASSWORD', 'AWS_SECRET_ACCESS_KEY', 'TLS_KEY'];
  const load = async (variables: readonly string[]) => {
    const file = { path: workspace.writeFile('adapter.ts', SPY), name: 'adapter.ts' };
    workspace.writeFile('a.csv', 'a\n');
    const previous = { ...process.env };
    for (const name of SECRETS) process.env[name] = `secret of ${name}`;
    try {
      return await withAdapter(
        file,
        () => {},
        (adapter) => workspace.load(online, 'a.csv', { adapter }),
        { variables },
      ).catch((cause) => String(cause.message));
    } finally {
      for (const name of SECRETS) {
        if (previous[name] === undefined) delete process.env[name];
        else process.env[name] = previous[name];
      }
    }
  };

  test('has no secret, in the process, in its children or in what the system tells of it', async () => {
    const found = await load([]);
    expect(found).toContain('PATH');
    expect(found).not.toContain('secret of');
  });

  test('has the variables that are named', async () => {
    const found = await load(['PGPASSWORD']);
    expect(found).toContain('secret of PGPASSWORD');
    expect(found).not.toContain('secret of API_TOKEN');
  });
});

test('half of a surrogate pair, which UTF-8 has not, is staged as it is', async () => {
  const adapter = 'export default () => [{ year: "\\ud800" }];';
  expect(String(await loadInvalid('a.txt', 'x', adapter))).toContain('year: "\\ud800" must be');
});
