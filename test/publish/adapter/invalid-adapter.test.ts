import { describe, expect, test } from 'bun:test';
import { withAdapter } from '../../../src/publish/adapter/run-adapter.ts';
import { useAdapterLoader } from './adapter-loader.ts';

const { loadInvalid, read, workspace } = useAdapterLoader();
const CONTENT = 'a,b\n1,2\n3,4\n';
const VALID = '{ year: 2024, cash_wtl: 1, cash_deposit: 1, funds_transfer: 1, total: 3 }';

describe('a load rejects an adapter that', () => {
  test.each([
    [
      'has no default export',
      'export const a = 1;',
      'adapter.ts has no default export; its default export must be a function that takes the opened file and yields records',
    ],
    [
      'exports something else',
      'export default { a: 1 };',
      'adapter.ts exports an object; its default export must be a function that takes the opened file and yields records',
    ],
    [
      'returns no records',
      'export default () => {};',
      'adapter.ts returns undefined; its default export must yield records (async function*), or return a list of them',
    ],
    [
      'has a question left that inspect could not answer',
      "// type: '?'\nexport default function* () {\n  yield { symbol: '?', // missing\n  };\n}",
      "adapter.ts line 3: '?' is to be filled in: yield { symbol: '?',",
    ],
    [
      'has a syntax error',
      'export default\n  function* () { let a = = 3; }',
      'adapter.ts line 2: Unexpected =',
    ],
    [
      'imports what there is not',
      'import a from "no-such-package";\nexport default () => a;',
      expect.stringMatching(/^adapter\.ts.*Cannot find package 'no-such-package'/),
    ],
    [
      'imports a name that the package does not have',
      'import { parseAll } from "tenor";\nexport default () => parseAll;',
      expect.stringMatching(/^adapter\.ts.*parseAll/),
    ],
    ['throws when it is imported', '\n\nthrow new Error("no way");', 'adapter.ts line 3: no way'],
    [
      'throws at a row',
      'export default async function* (file) {\n  for await (const row of file.rows())\n    if (row.position === 2) null.text();\n}',
      expect.stringMatching(/^adapter\.ts line 3: TypeError: .* \(at a\.csv line 2\)$/),
    ],
    [
      'throws no error',
      'export default function* () { throw "a text"; }',
      'adapter.ts: threw a text',
    ],
    [
      'throws later',
      'export default async function* () {\n  setTimeout(() => { throw new Error("later"); });\n  await new Promise(() => {});\n}',
      'adapter.ts line 2: later',
    ],
    [
      'rejects a promise that nobody awaits',
      'export default async function* () {\n  Promise.reject(new Error("alone"));\n  await new Promise(() => {});\n}',
      'adapter.ts line 2: alone',
    ],
    [
      'ends its process',
      'export default function* () { process.exit(0); }',
      'adapter.ts ended before its last record',
    ],
    [
      'yields a function',
      `export default function* () { yield { ...${VALID}, total: () => 1 }; }`,
      'adapter.ts yields a function as total',
    ],
    [
      'asks for a column that there is not',
      'export default async function* (file) {\n  for await (const row of file.table(["a"])) yield row.get("c");\n}',
      'adapter.ts line 2: TypeError: there is no column "c"; there are a, b (at a.csv line 2)',
    ],
    [
      'has options that are not known',
      'export const options = { colour: 1 };\nexport default () => [];',
      expect.stringMatching(
        /^adapter\.ts, options: "colour" is not known; it may hold dataset, about,/,
      ),
    ],
    [
      'has options about columns',
      'export const options = { columns: {} };\nexport default () => [];',
      expect.stringMatching(/"columns" is not known/),
    ],
    [
      'has an option of a wrong value',
      'export const options = { decimal: ";" };\nexport default () => [];',
      'adapter.ts, options: "decimal" must be "." or ","',
    ],
  ])('%s', async (_, source, line) => {
    expect(await loadInvalid('a.csv', CONTENT, source)).toEqual([line]);
  });

  test('reads a table, JSON or rows that the file does not have', async () => {
    const reading = (expression: string) =>
      `export default async function* (file) { for await (const a of ${expression}) yield a; }`;
    expect(await loadInvalid('a.csv', CONTENT, reading("file.table(['a', 'c'])"))).toEqual([
      'a.csv has no row with the columns a, c; its first row has a, b',
    ]);
    expect(await loadInvalid('a.json', '[{"a": 1}]', reading('file.rows()'))).toEqual([
      'a.json holds JSON, which has no rows; an adapter reads it with json()',
    ]);
    expect(await loadInvalid('a.json', '{"a": 1}', reading("file.json('a.b')"))).toEqual([
      'a.json has no a.b in its JSON',
    ]);
    expect(await loadInvalid('a.csv', 'a\n"b\n', reading('file.rows()'))).toEqual([
      'a.csv has a quote on line 2 that is never closed',
    ]);
  });

  test('yields what is no record, each with its location', async () => {
    const source = `export default async function* (file) {
      for await (const row of file.rows()) yield [5, [1], { year: NaN }][row.position - 1];
    }`;
    const problems = await loadInvalid('a.csv', CONTENT, source);
    expect(problems.slice(0, 2)).toEqual([
      'a.csv line 1: 5 must be an object',
      'a.csv line 2: [1] must be an object',
    ]);
    expect(problems).toContain(
      'a.csv line 3, year: "NaN" must be a year such as 2024, FY24 or 2023-24',
    );
  });

  test('does not exist, or is a folder', async () => {
    const start = (path: string) =>
      workspace.describeRejection(() =>
        withAdapter(
          { path, name: path },
          () => {},
          async () => {},
        ),
      );
    expect(await start('/nowhere/adapter.ts')).toEqual(['/nowhere/adapter.ts does not exist']);
    expect(await start(workspace.folder)).toEqual([expect.stringMatching(/ is a folder$/)]);
  });
});

test('a load accepts an adapter that looks for a question mark', async () => {
  const source = `export default function* (file) {
    if ('a'.includes('?') || String(file.name) === '?') return;
    yield ${VALID};
  }`;
  expect(await read('a.csv', CONTENT, source)).toHaveLength(1);
});
