import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
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
  'memoize.ts': [],
  'rate.ts': ['duration.ts'],
  'settings.ts': ['rate.ts', 'tokens'],
  catalogue: ['calendar.ts'],
  bonds: ['calendar.ts'],
  schema: ['catalogue'],
  openapi: ['catalogue', 'schema'],
  store: ['calendar.ts', 'catalogue', 'schema'],
  tokens: ['catalogue', 'rate.ts', 'store'],
  formats: [],
  publish: ['calendar.ts', 'catalogue', 'bonds', 'memoize.ts', 'schema', 'formats', 'store'],
  tabular: ['catalogue', 'schema', 'formats', 'store'],
  sample: ['calendar.ts', 'catalogue', 'bonds', 'publish'],
  explorer: ['calendar.ts', 'catalogue'],
  http: [
    'catalogue',
    'memoize.ts',
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

  test('the README fits on two screens, and every page it links to exists', () => {
    const readme = read('README.md');
    expect(readme.split('\n').length).toBeLessThanOrEqual(100);
    const links = [...readme.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = '']) => path);
    expect(links).toContain('docs/reference/settings.md');
    expect(links.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test('every path that CONTRIBUTING.md and the architecture page name exists', () => {
    const pages = read('CONTRIBUTING.md') + read('docs/explanation/architecture.md');
    const paths = [
      ...pages.matchAll(/`((?:src|test|scripts|docs|bin|bench|clients)\/[^`*{}… ]*)`/g),
    ]
      .map(([, path = '']) => path)
      .filter((path) => !path.includes('cheque-clearing'));
    expect(paths.length).toBeGreaterThan(30);
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test('the settings page lists every setting with its default, and the datasets page every path', () => {
    const page = read('docs/reference/settings.md');
    for (const { variable, defaultText } of Object.values(SETTINGS)) {
      const shown = defaultText === undefined ? 'not set' : `\`${defaultText}\``;
      expect(page).toContain(`| \`${variable}\` | ${shown} |`);
    }
    const datasets = read('docs/reference/datasets.md');
    for (const { paths } of catalogue) for (const path of paths) expect(datasets).toContain(path);
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
