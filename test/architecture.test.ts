import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { generatedFiles } from '../scripts/docs/generate.ts';
import { locateMutant, type Mutant, readSources } from '../scripts/locate-mutant.ts';
import { catalogue } from '../src/catalogue/index.ts';
import { SETTINGS } from '../src/settings.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** The modules of `src` that each module may import: its folders, and the files at its top. */
const ALLOWED_IMPORTS: Readonly<Record<string, readonly string[]>> = {
  shared: [],
  // What proves what was published can be read, and trusted, on its own.
  ledger: [],
  'version.ts': [],
  'event-log.ts': ['shared'],
  'settings.ts': ['shared', 'tokens'],
  metrics: ['shared'],
  catalogue: ['shared'],
  bonds: ['shared'],
  formats: ['shared'],
  // The published client has these modules too, without the types of Bun.
  client: ['ledger', 'formats'],
  schema: ['catalogue'],
  declarations: ['shared', 'catalogue'],
  openapi: ['shared', 'catalogue', 'declarations', 'operations', 'schema'],
  store: ['shared', 'ledger', 'catalogue', 'declarations', 'schema'],
  check: ['shared', 'ledger', 'catalogue', 'schema', 'store'],
  tokens: ['shared', 'catalogue', 'store'],
  'single-sign-on': [...['shared', 'client', 'catalogue', 'tokens', 'settings.ts', 'event-log.ts']],
  publish: [
    ...['shared', 'catalogue', 'declarations', 'bonds', 'schema', 'formats', 'store', 'check'],
    'sdmx',
  ],
  inspect: ['shared', 'bonds', 'catalogue', 'formats', 'publish'],
  tabular: ['shared', 'catalogue', 'declarations', 'schema', 'formats', 'store'],
  mirror: ['shared', 'ledger', 'client', 'catalogue', 'schema', 'store', 'tabular', 'tokens'],
  follow: [
    ...['shared', 'ledger', 'client', 'catalogue', 'declarations', 'store', 'mirror', 'tokens'],
    ...['settings.ts', 'event-log.ts'],
  ],
  notify: ['shared', 'catalogue', 'operations', 'store'],
  analytics: ['shared', 'catalogue', 'declarations', 'bonds', 'schema', 'store'],
  transforms: ['shared', 'catalogue', 'store'],
  sdmx: ['shared', 'catalogue', 'formats', 'store', 'tabular'],
  openbb: ['shared', 'catalogue', 'declarations', 'schema', 'tabular'],
  sample: ['shared', 'catalogue', 'formats', 'store', 'publish'],
  explorer: ['shared', 'ledger', 'client', 'formats', 'catalogue', 'declarations'],
  operations: [
    ...['shared', 'ledger', 'version.ts', 'catalogue', 'declarations', 'bonds', 'analytics'],
    ...['schema', 'openbb', 'sdmx', 'tabular', 'store', 'tokens', 'transforms', 'check', 'follow'],
    'http',
  ],
  http: [
    ...['shared', 'settings.ts', 'event-log.ts', 'version.ts'],
    ...['catalogue', 'declarations', 'operations', 'schema', 'openapi', 'sdmx', 'tabular'],
    ...['store', 'tokens', 'single-sign-on', 'check', 'metrics', 'follow'],
  ],
};

/** The parts of `src/http`, and operations, in the order of a request: each imports only those before it. */
const HTTP_PARTS = [
  ...['http-error.ts', 'request', 'rate-limiting', 'authentication', 'responses'],
  ...['freshness', 'background', 'scrub', 'pipeline', 'operations', 'static', 'tls', 'monitoring'],
  'server',
];

/** Parts of `src` that a simulation runs: they take time and chance from `src/shared/system.ts`. */
const SIMULATED_PARTS = [
  'src/http',
  'src/operations',
  'src/store',
  'src/cli/workers',
  'src/explorer/api',
  'src/tokens',
];

/** The machine's clocks, timers and chance; secrets and names of files are random by node:crypto. */
const MACHINE_USES = new RegExp(
  [
    String.raw`\bDate\.now\b|\bDate\(\)|\bnew Date\b(?!\()|\bTemporal\.Now\b`,
    String.raw`\bperformance\.(?:now|timeOrigin)\b|\bprocess\.(?:hrtime|uptime)\b|\bBun\.nanoseconds\b`,
    String.raw`(?<!\bsystem\.)\bset(?:Timeout|Interval|Immediate)\b|\bBun\.sleep|\btimers['/]`,
    String.raw`\bAbortSignal\.timeout\b|\bMath\.random\b|\brandomUUID|\brandomInt\b`,
  ].join('|'),
);

describe('project conventions', () => {
  test('modules of src import only those below them, and none imports the command line', () => {
    const forbidden = [...imports].flatMap(([file, targets]) =>
      (file.startsWith('src/') ? targets : [])
        .filter((target) => !isAllowedImport(file, target))
        .map((target) => `${file} imports ${target}`),
    );
    expect(forbidden).toEqual([]);
  });

  test('parts of src/http, and operations, import only those that come before them in a request', () => {
    const getRank = (file: string) => {
      const module = findModule(file);
      return HTTP_PARTS.indexOf(module === 'http' ? (file.split('/')[2] ?? '') : module);
    };
    const upward = [...imports].flatMap(([file, targets]) =>
      targets
        .filter((target) => getRank(file) >= 0 && getRank(target) > getRank(file))
        .map((target) => `${file} imports ${target}`),
    );
    expect(upward).toEqual([]);
    const parts = [...readdirSync(join(ROOT, 'src/http')), 'operations'];
    expect(parts.toSorted()).toEqual(HTTP_PARTS.toSorted());
  });

  test('no source file is part of an import cycle, type imports included', () => {
    expect(findImportCycle(imports)?.join(' imports ')).toBeUndefined();
  });

  test('the server, stores, workers and requests of the explorer take time and chance from system.ts', () => {
    const files = [...imports.keys()].filter((file) =>
      SIMULATED_PARTS.some((part) => file.startsWith(`${part}/`)),
    );
    expect(files.length).toBeGreaterThan(200);
    const direct = files.flatMap((file) =>
      read(file)
        .split('\n')
        .filter((line) => MACHINE_USES.test(line.replace(/^\s*\/?\*.*|\s\/\/.*/, '')))
        .map((line) => `${file}: ${line.trim()}`),
    );
    expect(direct).toEqual([]);
  });

  test('texts that may be from outside are looked up in maps, or in tables without a prototype', () => {
    const files = [...imports.keys()].filter((file) =>
      /^(src|clients\/typescript\/src)\//.test(file),
    );
    expect(files.length).toBeGreaterThan(700);
    const texts = new Map(files.map((file) => [file, read(file)]));
    const safeTables = [...texts.values()].flatMap((text) =>
      Array.from(text.matchAll(/const (\w+)[^=]*= createLookupTable\(/g), ([, name = '']) => name),
    );
    expect(safeTables).toContain('HORIZON_MONTHS');
    const found = [...texts].flatMap(([file, text]) =>
      findUnsafeLookups(text, safeTables).map((code) => `${file}: ${code}`),
    );
    expect(found.filter((code) => !OWN_LOOKUPS.includes(code))).toEqual([]);
  });

  test.each([
    [
      'const A: Readonly<Record<string, number>> = {\n  a: 1 };',
      ': Readonly<Record<string, number>> = {',
    ],
    ['const A: Record<string, () => void> = { a };', ': Record<string, () => void> = {'],
    ['return TABLE[text as keyof typeof TABLE];', 'TABLE[text as keyof typeof TABLE]'],
    ['(TABLE as Record<string, number>)[text]', '(TABLE as Record<string, number>)[text]'],
    ['if (!(name in texts)) return;', 'name in texts'],
    ['const A = createLookupTable({ a: 1 }); A[b as "a"]', undefined],
    ["if ('a' in texts) for (const name in fields) a(name);", undefined],
    ['/** A name in texts. */ // a name in texts\n`a name in texts`', undefined],
  ])('a lookup such as %j is found: %p', (code, found) => {
    expect(findUnsafeLookups(code, ['A'])).toEqual(found === undefined ? [] : [found]);
  });

  test('tests start processes by spawnChild, so that none is left behind', () => {
    const files = [...new Bun.Glob('test/**/*.ts').scanSync({ cwd: ROOT })];
    const starting = files.filter((file) => /\bBun\.spawn\(/.test(read(file)));
    expect(starting.toSorted()).toEqual([
      'test/support/spawn-child.ts',
      // In a script that a process runs, which is killed.
      'test/system/faults/left-processes.test.ts',
    ]);
  });

  test('loading CSV into a file imports no PostgreSQL, server, curve, workbook or Parquet', () => {
    const loaded = findLoadedModules(['src/cli/main.ts', 'src/cli/commands/load.ts']);
    expect(loaded).toContain('src/store/sqlite/open-sqlite.ts');
    const unneeded = /^src\/(store\/postgres|http|bonds\/curve|formats\/(xlsx|parquet))\//;
    expect(loaded.filter((file) => unneeded.test(file))).toEqual([]);
  });

  test('no module of the Python client is part of an import cycle, type imports included', () => {
    expect(pythonImports.get('_async/client')).toContain('_async/operations');
    expect(pythonImports.get('_async/operations')).toContain('records');
    expect(findImportCycle(pythonImports)?.join(' imports ')).toBeUndefined();
  });

  test('nothing waits for an event loop in the Python client that is made of the one for asyncio', () => {
    const made = readdirSync(join(ROOT, PYTHON_PACKAGE, '_sync')).filter((name) =>
      name.endsWith('.py'),
    );
    expect(made).toContain('client.py');
    for (const name of made) {
      const [, code] = read(join(PYTHON_PACKAGE, '_sync', name)).split('Changes here are lost.');
      expect(code).not.toMatch(
        /\basync\b|\bawait\b|\basyncio\b|\bAsync[A-Z]|\b__a[a-z]+__|\baiter/,
      );
    }
  });

  test('generated files are up to date (npm run docs)', async () => {
    // A dataset that was just added must not fail before its pages are generated.
    const page = read('docs/reference/datasets.md');
    const documented = catalogue.filter(({ name }) => page.includes(`\n\`${name}\`: `));
    expect(documented.length).toBeGreaterThanOrEqual(12);
    for (const [path, text] of Object.entries(await generatedFiles(documented)))
      expect(read(path)).toBe(text);
  });

  test.each(['test/mutants.json', 'test/simulation/mutants.json'])(
    'every fault of %s can be put into its symbol, whose text it replaces once, and its tests exist',
    (list) => {
      const mutants = JSON.parse(read(list)) as (Mutant & { tests?: readonly string[] })[];
      expect(mutants.length).toBeGreaterThan(40);
      const sources = readSources(ROOT);
      const stale = mutants.flatMap((mutant) => {
        const { tests = [], text, replacement } = mutant;
        if (replacement === text) return [`no change: ${text}`];
        try {
          locateMutant(sources, mutant);
        } catch (error) {
          return [(error as Error).message];
        }
        return tests.filter((path) => path.startsWith('test/') && !existsSync(join(ROOT, path)));
      });
      expect(stale).toEqual([]);
    },
  );

  test('a fault is put into its symbol in whatever file that is, and nowhere if two have the text', () => {
    const mutant = { symbol: 'refund', text: 'count + 1', replacement: 'count' };
    const source = 'class Bucket {\n  #refund(count: number) {\n    return count + 1;\n  }\n}\n';
    const other = 'function charge(count: number) {\n  return count + 1;\n}\n';
    const sources = new Map([
      ['src/a.ts', `${other}\n${source}\n${other}`],
      ['src/b.ts', other],
    ]);
    const start = `${other}\n${source}`.lastIndexOf(mutant.text);
    expect(locateMutant(sources, mutant)).toEqual({ file: 'src/a.ts', start });
    sources.set('src/b.ts', source);
    expect(() => locateMutant(sources, mutant)).toThrow('stands 2 times (src/a.ts, src/b.ts)');
    expect(locateMutant(sources, { ...mutant, file: 'b.ts' }).file).toBe('src/b.ts');
    expect(() => locateMutant(sources, { ...mutant, symbol: 'take' })).toThrow('does not stand');
  });

  test('the README fits on two screens, and every page it links to exists', () => {
    const readme = read('README.md');
    expect(readme.split('\n').length).toBeLessThanOrEqual(100);
    const links = [...readme.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = '']) => path);
    expect(links).toContain('docs/reference/settings.md');
    expect(links.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test('every link between pages of the documentation leads to a page', () => {
    expect(markdownPages.size).toBeGreaterThan(100);
    const broken = [...markdownPages].flatMap(([page, text]) =>
      findLinks(page, text)
        .filter((path) => !existsSync(join(ROOT, path)))
        .map((path) => `${page} links to ${path}`),
    );
    expect(broken).toEqual([]);
  });

  test('docs/README.md lists every page of docs, and the index of decisions each one by its title', () => {
    const isDecision = (page: string) => page.startsWith('docs/decisions/0');
    const listed = findLinks('docs/README.md', read('docs/README.md'));
    const own = [...markdownPages.keys()].filter(
      (page) => page.startsWith('docs/') && !isDecision(page),
    );
    expect(own.filter((page) => page !== 'docs/README.md' && !listed.includes(page))).toEqual([]);
    const index = read('docs/decisions/README.md');
    const decisions = [...markdownPages].filter(([page]) => isDecision(page));
    expect(decisions.length).toBeGreaterThan(60);
    for (const [page, text] of decisions) {
      const [, number, title] = /^# (\d+)\. (.+)/.exec(text) ?? [];
      const file = basename(page);
      expect(Number(file.slice(0, 4))).toBe(Number(number));
      expect(index.split(`| ${number} | [${title}](${file}) |`)).toHaveLength(2);
    }
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

  test('dependencies have exact versions, and each runtime dependency a decision record', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json'));
    for (const version of Object.values({ ...dependencies, ...devDependencies })) {
      expect(version).toMatch(/^\d+\.\d+\.\d+(-beta\.\d+)?$/);
    }
    const decisions = readdirSync(join(ROOT, 'docs/decisions'))
      .map((file) => read(join('docs/decisions', file)))
      .join('\n');
    const undocumented = Object.entries(dependencies).filter(
      ([name, version]) => !decisions.toLowerCase().includes(`${name} ${version}`),
    );
    expect(undocumented).toEqual([]);
  });
});

/**
 * Where TypeScript lets any text be looked up in an object: in a constant table whose type says that
 * any text is a name in it, by a cast, and by `in`. Objects of other types take known names alone;
 * those that a function is given with such a type, and what is of type any, this does not find.
 */
function findUnsafeLookups(text: string, safeTables: readonly string[]): string[] {
  const code = text.replace(NO_CODE, "''");
  const unsafe = [
    ...code.matchAll(/^(?:export )?const \w+(:[^;{=]*\bRecord<\s*string,[^;{]*? = \{)/gm),
    ...code.matchAll(/((\w+)(?:\?\.)?\[[^\]\n,]+ as [^\]]+\])/g),
    ...code.matchAll(/(\((\w+) as [^)\n]*\bRecord<string[^)\n]*\)\[[^\]]+\])/g),
    ...code.replace(/`(?:[^`\\]|\\.)*`|\bfor \(const \w+ in /g, '').matchAll(IN_OPERATOR),
  ];
  return unsafe.flatMap(([, found = '', table = '']) => (safeTables.includes(table) ? [] : found));
}

/** Comments, strings, and texts between tags. */
const NO_CODE =
  /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*|'(?:[^'\\\n]|\\.)*'|(?<=[\w"]>)[^<>{}=;]*(?=<\/)/g;

/** Not in types, whose names begin with a capital letter. */
const IN_OPERATOR = /(?<=[(!&|?=>]\s*|\breturn )((?!const )[a-z]\w*(?:\.\w+)* in [a-z][\w.]*)/g;

/** Casts of names that are ours. */
const OWN_LOOKUPS = [
  "src/operations/vintages/vintages-operation.ts: IDENTIFIER_PARAMETERS[identifier as '']",
  'src/explorer/security/newest-figures-panel.tsx: record?.[key as keyof typeof ANALYTICS_FIGURES]',
  'src/explorer/security/quote-fields.ts: (quote as Readonly<Record<string, unknown>>)[name]',
  'src/publish/mapping/ineffective-keys.ts: mapping[key as keyof Mapping]',
];

/** The texts of the documentation's pages, by their paths. */
const markdownPages = new Map(
  ['*.md', 'docs/**/*.md', 'examples/*.md', 'clients/*/*.md']
    .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: ROOT })])
    .map((path) => [path, read(path)]),
);

/** The files that a page links to, as paths from the root of the repository. */
function findLinks(page: string, text: string): string[] {
  return [...text.matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)].map(([, path = '']) =>
    join(dirname(page), path),
  );
}

/** The files of this repository that each source file imports, as paths from its root. */
const imports = new Map(
  ['src', 'bench', 'clients/typescript/src', 'scripts'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => [join(folder, name), readImports(join(folder, name))] as const),
  ),
);

function readImports(file: string): string[] {
  const specifiers = read(file).matchAll(/(?:from |import\()'(\.[^']+\.(?:tsx?|json))'/g);
  return Array.from(specifiers, ([, path = '']) => normalize(join(dirname(file), path)));
}

/** The files that are loaded with others: what they import, but not what they import later. */
function findLoadedModules(files: readonly string[]): string[] {
  const transpiler = new Bun.Transpiler({ loader: 'ts' });
  const loaded = new Set(files);
  for (const file of loaded) {
    if (!file.endsWith('.ts')) continue;
    for (const { kind, path } of transpiler.scanImports(read(file)))
      if (kind === 'import-statement' && path.startsWith('.'))
        loaded.add(normalize(join(dirname(file), path)));
  }
  return [...loaded];
}

const PYTHON_PACKAGE = 'clients/python/tenor_client';

/** The modules of the Python client that each of them imports, also only for its types. */
const pythonImports = new Map(
  readdirSync(join(ROOT, PYTHON_PACKAGE), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.py'))
    .map((name) => [name.slice(0, -'.py'.length), readPythonImports(name)]),
);

/** Reads `from .module import …` and `from .. import module`. */
function readPythonImports(name: string): string[] {
  const lines = read(join(PYTHON_PACKAGE, name)).matchAll(/^ *from \.(\.*)([\w.]*) import (\w+)/gm);
  return Array.from(lines, ([, parents = '', module = '', imported = '']) =>
    join(
      dirname(name),
      ...Array.from(parents, () => '..'),
      (module || imported).replaceAll('.', '/'),
    ),
  );
}

/** The module of a file of `src`: of operations, declarations are one of their own. */
function findModule(file: string): string {
  const [, module = ''] = file.split('/');
  return module === 'operations' && isDeclaration(file) ? 'declarations' : module;
}

/** Whether a file of an operation needs no server, so that clients and the explorer may import it. */
function isDeclaration(file: string): boolean {
  return (imports.get(file) ?? []).every(
    (target) =>
      /^src\/(catalogue|shared)\//.test(target) ||
      (target.startsWith('src/operations/') && isDeclaration(target)),
  );
}

function isAllowedImport(file: string, target: string): boolean {
  const module = findModule(file);
  const [folder] = target.split('/');
  const imported = findModule(target);
  // Nothing imports the published clients, tests, benchmarks or scripts.
  // Examples are what `tenor inspect` writes adapters from, and what a first start publishes.
  if (folder === 'examples') return module === 'inspect' || module === 'sample';
  if (folder !== 'src') return target === 'package.json' && module === 'version.ts';
  return (
    imported === module || module === 'cli' || ALLOWED_IMPORTS[module]?.includes(imported) === true
  );
}

/** The files of the first import cycle, from one of them back to itself. */
function findImportCycle(graph: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const finished = new Set<string>();
  const visit = (file: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (finished.has(file)) return undefined;
    for (const target of graph.get(file) ?? []) {
      const cycle = visit(target, [...path, file]);
      if (cycle) return cycle;
    }
    finished.add(file);
    return undefined;
  };
  for (const file of graph.keys()) {
    const cycle = visit(file, []);
    if (cycle) return cycle;
  }
  return undefined;
}
