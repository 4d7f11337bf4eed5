import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { generatedFiles } from '../scripts/docs/generate.ts';
import { catalogue } from '../src/catalogue/index.ts';
import { SETTINGS } from '../src/settings.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** Which rooms a room may import from; files at the top of `src` go by their own name. */
const doors: Readonly<Record<string, readonly string[]>> = {
  'calendar.ts': [],
  'version.ts': [],
  'event-log.ts': [],
  'duration.ts': [],
  'rate.ts': ['duration.ts'],
  'settings.ts': ['rate.ts', 'tokens'],
  catalogue: ['calendar.ts'],
  bonds: ['calendar.ts'],
  schema: ['catalogue'],
  openapi: ['catalogue', 'schema'],
  store: ['calendar.ts', 'catalogue', 'schema'],
  tokens: ['catalogue', 'rate.ts', 'store'],
  formats: [],
  publish: ['calendar.ts', 'catalogue', 'bonds', 'schema', 'formats', 'store'],
  tabular: ['catalogue', 'schema', 'formats', 'store'],
  sample: ['calendar.ts', 'catalogue', 'bonds', 'publish'],
  explorer: ['calendar.ts', 'catalogue'],
  http: [
    'catalogue',
    'openapi',
    'rate.ts',
    'schema',
    'tabular',
    'store',
    'tokens',
    'settings.ts',
    'event-log.ts',
    'version.ts',
  ],
};

describe('the house', () => {
  test('imports run one way, and nothing imports the command line', () => {
    const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
    const wrong: string[] = [];
    for (const file of files.filter((name) => /\.tsx?$/.test(name))) {
      const room = file.split('/')[0] ?? '';
      for (const [, path = ''] of read(join('src', file)).matchAll(/from '(\.[^']+)'/g)) {
        const entered = normalize(join(dirname(file), path)).split('/')[0] ?? '';
        if (entered === room || entered === '..' || room === 'cli') continue;
        if (!doors[room]?.includes(entered)) wrong.push(`${file} imports ${entered}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('generated files are as the program would make them now: npm run docs', () => {
    // A dataset that was just added is no reason to fail before its pages are made.
    const known = read('docs/reference/datasets.md');
    const told = catalogue.filter(({ name }) => known.includes(`\n\`${name}\`: `));
    expect(told.length).toBeGreaterThanOrEqual(12);
    for (const [path, text] of Object.entries(generatedFiles(told))) expect(read(path)).toBe(text);
  });

  test('the README tells of every setting, with its default, and of every path', () => {
    const readme = read('README.md');
    for (const { variable, defaultText } of Object.values(SETTINGS)) {
      expect(readme).toContain(
        `| \`${variable}\` | ${defaultText ? `\`${defaultText}\`` : 'not set'} |`,
      );
    }
    const specified = catalogue.filter(({ name }) => readme.includes(name));
    expect(specified.length).toBeGreaterThanOrEqual(10);
    expect(readme).toContain('/2.0/bnb/quotes');
    expect(readme).toContain('/3.0/funds/allocation');
  });

  test('dependencies have exact versions, and each that runs has its decision', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json'));
    for (const version of Object.values({ ...dependencies, ...devDependencies })) {
      expect(version).toMatch(/^\d+\.\d+\.\d+(-beta\.\d+)?$/);
    }
    const decisions = readdirSync(join(ROOT, 'docs/decisions'))
      .map((file) => read(join('docs/decisions', file)))
      .join('\n');
    const undecided = Object.entries(dependencies).filter(
      ([name, version]) => !decisions.toLowerCase().includes(`${name} ${version}`),
    );
    expect(undecided).toEqual([]);
  });
});
