import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findDeclarationProblems } from '../../src/catalogue/declaration-problems.ts';
import { selectArtefacts } from '../../src/sdmx/artefacts.ts';
import { createFlow, NO_VALUES } from '../../src/sdmx/flow.ts';
import { writeStructureXml } from '../../src/sdmx/structure-xml.ts';
import { KIBOR, kibor } from '../support/declared-rates.ts';
import { runTenor } from '../support/run-tenor.ts';
import { createTempFolder } from '../support/store.ts';

const folder = createTempFolder();
afterAll(() => rmSync(folder, { recursive: true }));
const env = { DATABASE_URL: `sqlite:${join(folder, 'x.db')}` };
beforeAll(async () => {
  await runTenor(['migrate'], env);
});

const file = join(folder, 'a.json');
const declare = (content: string | Uint8Array) => {
  writeFileSync(file, content);
  return runTenor(['dataset', 'declare', file], env);
};

async function expectNothingPublished() {
  const { out } = await runTenor(['revisions', '--json'], env);
  expect(JSON.parse(out)).toEqual([]);
}

const { chart: _, ...BASE } = KIBOR;
const [bid, offer] = KIBOR.measures;
const [tenor] = KIBOR.dimensions ?? [];
const measure = (change: object) => ({ measures: [bid, { ...offer, ...change }] });
const dimension = (change: object) => ({ dimensions: [{ ...tenor, ...change }] });
const period = (change: object) => ({ period: { kind: 'day', field: 'date', ...change } });
const check = (value: unknown) => ({ checks: [value] });
const without = (name: string) => ({ [name]: undefined });

/** Faults besides those of declaration.test.ts, and the start of the line of each. */
const WRONG: readonly (readonly [change: object, line: string])[] = [
  [without('name'), '$ must have name'],
  [without('title'), '$ must have title'],
  [without('period'), '$ must have period'],
  [without('measures'), '$ must have measures'],
  [{ name: '' }, '$.name must'],
  [{ name: '6m-rates' }, '$.name must match'],
  [{ name: 'a_b' }, '$.name must match'],
  [{ name: 'a/b' }, '$.name must match'],
  [{ name: null }, '$.name must be of type string'],
  [{ name: 'datasets' }, '$.name must be another: datasets is reserved'],
  [{ title: '' }, '$.title must'],
  [{ title: '?' }, '$.title must be answered'],
  [{ title: ' Rates' }, '$.title must be text without control characters and space around it'],
  [{ description: 1 }, '$.description must be of type string'],
  [{ description: 'a'.repeat(2001) }, '$.description must have at most 2000 characters'],
  [{ notes: 'one' }, '$.notes must be of type array'],
  [{ notes: [''] }, '$.notes[0] must'],
  [{ source: [] }, '$.source must be of type string'],
  [{ licence: false }, '$.licence must be of type string'],
  [{ scope: 'public' }, '$.scope must be another: public is reserved'],
  [{ status: 'yes' }, '$.status must be of type boolean'],
  [{ supersedes: 'A' }, '$.supersedes must match'],
  [{ path: '/kibor' }, '$.path is not one of name, title'],
  [{ keyedList: {} }, '$.keyedList is not one of name, title'],
  [period({ kind: '?' }), '$.period.kind must be answered: day, week, month, quarter, year'],
  [period({ field: 'Date' }), '$.period.field must match'],
  [period({ field: 'from' }), '$.period.field must be another: from is reserved'],
  [period({ field: 'tenor' }), '$.dimensions[0].field must be another: tenor is there twice'],
  [period({ kind: 'year', yearStart: 0 }), '$.period.yearStart must be at least 1'],
  [period({ kind: 'year', yearStart: 1.5 }), '$.period.yearStart must be of type integer'],
  [period({ format: 'dmy' }), '$.period.format is not one of kind, field, yearStart'],
  [{ dimensions: tenor }, '$.dimensions must be of type array'],
  [dimension({ field: 'tenor-name' }), '$.dimensions[0].field must match'],
  [dimension({ field: 'status' }), '$.dimensions[0].field must be another: status is reserved'],
  [dimension({ field: 'bid' }), '$.measures[0].field must be another: bid is there twice'],
  [dimension({ title: undefined }), '$.dimensions[0] must have title'],
  [dimension({ codes: ['1M'] }), '$.dimensions[0].codes must be of type object'],
  [dimension({ codes: { '1M': '' } }), '$.dimensions[0].codes'],
  [
    dimension({ codes: { ' a': 'x' } }),
    '$.dimensions[0].codes[" a"] must be a value without control characters',
  ],
  [dimension({ codesStrict: 1 }), '$.dimensions[0].codesStrict must be of type boolean'],
  [{ coverage: 'all' }, '$.coverage must be one of stable, open'],
  [measure({ field: 'a b' }), '$.measures[1].field must match'],
  [measure({ field: 'bid' }), '$.measures[1].field must be another: bid is there twice'],
  [measure({ field: 'revision' }), '$.measures[1].field must be another: revision is reserved'],
  [measure({ field: 'a'.repeat(41) }), '$.measures[1].field must match'],
  [measure({ unit: undefined }), '$.measures[1] must have unit'],
  [measure({ unit: '?' }), '$.measures[1].unit must be answered'],
  [measure({ kind: 'price' }), '$.measures[1].kind must be one of flow, stock, rate, index'],
  [measure({ kind: undefined }), '$.measures[1] must have kind'],
  [measure({ currency: 'rupee' }), '$.measures[1].currency must match'],
  [measure({ scale: -1 }), '$.measures[1].scale must be above 0'],
  [measure({ decimals: 16 }), '$.measures[1].decimals must be at most 15'],
  [measure({ required: null }), '$.measures[1].required must be of type boolean'],
  [check({}), '$.checks[0] must have sum and equals'],
  [check({ sum: ['bid'] }), '$.checks[0] must have sum and equals'],
  [
    check({ sum: ['bid'], equals: 'offer', tolerance: -1 }),
    '$.checks[0].tolerance must be at least 0',
  ],
  [check({ field: 'tenor', min: 0 }), '$.checks[0].field must be a measure: bid, offer'],
  [{ schedule: { cadence: 'daily' } }, '$.schedule must have delayDays'],
  [
    { schedule: { cadence: 'hourly', delayDays: 1, toleranceDays: 1 } },
    '$.schedule.cadence must be one of',
  ],
];

describe('a declaration with one fault', () => {
  test.each(WRONG)('%j has one line for it', (change, line) => {
    const value = JSON.parse(JSON.stringify({ ...BASE, ...change }));
    const problems = findDeclarationProblems(value);
    const own = problems.filter((problem) => problem.startsWith(line));
    // What is missing for one key may be missing for the next.
    expect(own).toHaveLength(1);
    expect(problems.filter((problem) => !problem.startsWith(line.split(' ')[0] ?? ''))).toEqual([]);
  });

  test('publishes nothing, and the command prints the line', async () => {
    for (const [change, line] of WRONG.filter((_, index) => index % 6 === 0)) {
      const { status, out, err } = await declare(JSON.stringify({ ...BASE, ...change }));
      expect([status, out]).toEqual([1, '']);
      expect(err.split('\n')[0]).toStartWith(line);
    }
    await expectNothingPublished();
  });
});

describe('a file that is no declaration', () => {
  test.each([
    ['', /is empty/],
    ['{"name": "kibor",', /is not JSON/],
    ['name: kibor\n', /is not JSON/],
    [JSON.stringify(BASE).replace('}', '},'), /is not JSON/],
    ['null', /^\$ must be of type object/],
    ['7', /^\$ must be of type object/],
    [JSON.stringify([BASE]), /^\$ must be of type object/],
    [
      `{"__proto__": {"name": "kibor"}, ${JSON.stringify(BASE).slice(1)}`,
      /^\$\.__proto__ is not one of/,
    ],
    [new Uint8Array([0x50, 0x4b, 3, 4, 0, 255, 254, 0, 1]), /a\.json/],
    [new Uint8Array(4096).fill(0xff), /a\.json is not JSON: it is not UTF-8 text/],
    [' '.repeat(17 * 1024 ** 2), /a\.json is larger than 16 MiB, the maximum for a declaration/],
  ] as const)('%#: is refused in a line, and publishes nothing', async (content, line) => {
    const { status, out, err } = await declare(content);
    expect([status, out]).toEqual([1, '']);
    expect(err).toMatch(line);
    expect(err.length).toBeLessThan(500);
    await expectNothingPublished();
  });

  test('is a directory, or missing', async () => {
    mkdirSync(join(folder, 'directory'));
    for (const name of ['directory', 'missing.json']) {
      const { status, err } = await runTenor(['dataset', 'declare', join(folder, name)], env);
      expect(status).toBe(1);
      expect(err).toContain(name);
      expect(err.trim().split('\n')).toHaveLength(1);
    }
    await expectNothingPublished();
  });
});

test('a declaration with thousands of problems has a line for each of the first hundred', async () => {
  const codes = Object.fromEntries(Array.from({ length: 5_000 }, (_, code) => [` C${code}`, 'a']));
  const text = JSON.stringify({ ...BASE, ...dimension({ codes }) });
  const { err } = await declare(text);
  const lines = err.trimEnd().split('\n');
  expect(lines).toHaveLength(102);
  expect(lines.slice(99)).toEqual([
    expect.stringContaining('$.dimensions[0].codes[" C99"] must be'),
    '… and 4,900 more',
    'tenor: nothing was published: 5,000 problems',
  ]);
  const json = await runTenor(['dataset', 'declare', file, '--json'], env);
  const { count, problems } = JSON.parse(json.out);
  expect([count, problems.length]).toEqual([5_000, 100]);
  await expectNothingPublished();
});

test('of several files with faults each line names its file, and none is published', async () => {
  const other = join(folder, 'b.json');
  writeFileSync(other, JSON.stringify({ ...BASE, name: 'other', title: 7 }));
  writeFileSync(file, JSON.stringify(BASE));
  const { status, err } = await runTenor(['dataset', 'declare', file, other], env);
  expect(status).toBe(1);
  expect(err).toStartWith(`b.json: $.title must be of type string\n`);
  await expectNothingPublished();
});

test('a thousand declarations are published at once, each within the limits', async () => {
  const files = Array.from({ length: 1_000 }, (_, index) => {
    const path = join(folder, `many-${index}.json`);
    writeFileSync(path, JSON.stringify({ ...BASE, name: `many-${index}` }));
    return path;
  });
  const { status, out } = await runTenor(['dataset', 'declare', ...files], env);
  expect([status, out]).toEqual([0, expect.stringContaining('1,000 added')]);
});

test('declares nothing by a structure message of SDMX, and prints what is to be answered', async () => {
  const flow = createFlow(kibor, 'TENOR', NO_VALUES);
  const query = { kinds: ['dataflow'], references: 'all', detail: 'full' } as const;
  const artefacts = selectArtefacts([flow], 'TENOR', query);
  const header = { id: 'a', prepared: '2026-01-01T00:00:00Z', sender: 'TENOR' };
  const message = [...writeStructureXml(header, artefacts)].join('');
  const revisions = await runTenor(['revisions', '--json'], env);
  const { status, out, err } = await declare(message);
  expect([status, err]).toEqual([
    1,
    expect.stringContaining('replace every "?", and declare that'),
  ]);
  const { name, period, measures } = JSON.parse(out);
  expect([name, period.kind, measures.length]).toEqual(['kibor', '?', 2]);
  expect(await runTenor(['revisions', '--json'], env)).toEqual(revisions);
  const entities = await declare('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>');
  expect(entities).toMatchObject({ status: 1, err: expect.stringContaining('a document type') });
});
