import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { catalogue } from '../../src/catalogue/index.ts';
import { serializeRecord } from '../../src/schema/serialize-record.ts';
import { encodeRecords } from '../../src/tabular/encode-records.ts';
import { readFixture } from '../support/fixtures.ts';
import type { Decoded, TableName } from './decode-formats.ts';
import { fromCsv, rebuildRecords } from './rebuild-records.ts';

/** How Python reads the column names and rows of each format. */
const PYTHON_READERS: Readonly<Record<TableName, { module: string; script: string }>> = {
  csv: {
    module: 'csv',
    script: `
def read(path):
  with open(path, encoding='utf-8', newline='') as file:
    names, *rows = csv.reader(file, strict=True)
  return names, [[cell or None for cell in row] for row in rows]`,
  },
  arrow: {
    module: 'pyarrow.ipc',
    script: readArrowTable('pyarrow.ipc.open_stream(path).read_all()'),
  },
  parquet: {
    module: 'pyarrow.parquet',
    script: readArrowTable('pyarrow.parquet.read_table(path)'),
  },
  xlsx: {
    module: 'openpyxl',
    script: `
def read(path):
  sheet = openpyxl.load_workbook(path).active
  name = path.split('/')[-1].split('.')[0]
  assert sheet.title == name[:31] and sheet.freeze_panes == 'A2', sheet.title
  names, *rows = sheet.iter_rows(values_only=True)
  # Days are written at midnight.
  return names, [[c.date() if hasattr(c, 'hour') else c for c in row] for row in rows]`,
  },
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenor-python-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

for (const [name, { module, script }] of Object.entries(PYTHON_READERS) as [
  TableName,
  typeof PYTHON_READERS.csv,
][]) {
  const isInstalled = Bun.spawnSync(['python3', '-c', `import ${module}`]).success;
  if (!isInstalled)
    console.log(`skipped: ${module} of Python, which reads ${name}, is not installed`);

  describe.skipIf(!isInstalled)(`${module} of Python`, () => {
    test(`reads the records of every dataset from ${name}`, async () => {
      const responses = catalogue.map((dataset) => {
        const texts = readFixture(dataset).map((record) => serializeRecord(dataset, record));
        return { dataset, texts: dataset.shape === 'fund' ? texts.slice(0, 1) : texts };
      });
      const paths: string[] = [];
      for (const { dataset, texts } of responses) {
        const path = join(folder, `${dataset.name}.${name}`);
        const chunks = await Array.fromAsync(encodeRecords(dataset, name, texts));
        await Bun.write(path, Buffer.concat(chunks));
        paths.push(path);
      }
      const tables = readWithPython(module, script, paths);
      for (const [index, { dataset, texts }] of responses.entries()) {
        const [names = [], rows = []] = tables[index] ?? [];
        const table = name === 'csv' ? fromCsv(dataset, { names, rows }) : { names, rows };
        expect(rebuildRecords(dataset, table)).toEqual(texts.map((text) => JSON.parse(text)));
      }
    });
  });
}

function readArrowTable(expression: string): string {
  return `
def read(path):
  table = ${expression}
  table.validate(full=True)
  return table.column_names, [list(row.values()) for row in table.to_pylist()]`;
}

type Tables = readonly (readonly [Decoded['names'], Decoded['rows']])[];

/** The tables that Python reads from the files; dates are text. */
function readWithPython(module: string, script: string, paths: readonly string[]): Tables {
  const program = `import json, sys, ${module}${script}
print(json.dumps([read(path) for path in sys.argv[1:]], default=str))`;
  const { stdout, stderr, success } = Bun.spawnSync(['python3', '-c', program, ...paths]);
  if (!success) throw new Error(stderr.toString());
  return JSON.parse(stdout.toString());
}
