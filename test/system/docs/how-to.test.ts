import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Quote } from '../../../src/catalogue/datasets/quotes.ts';
import { type CodeBlock, findCodeBlocks, matchesOutput, readPage } from './code-blocks.ts';
import {
  canRun,
  createExampleWorkspace,
  type ExampleWorkspace,
  PYTHON,
} from './example-workspace.ts';

const PAGES = [
  'tutorial.md',
  'how-to/curl-and-cron.md',
  'how-to/growth-and-tables.md',
  'how-to/publish-a-dataset.md',
  'how-to/keep-a-copy.md',
  'how-to/pandas.md',
  'how-to/polars.md',
  'how-to/recipes.md',
  'how-to/sdmx.md',
  'how-to/duckdb.md',
  'how-to/r.md',
  'how-to/excel.md',
  'how-to/google-sheets.md',
  'how-to/libreoffice.md',
  'how-to/grafana.md',
  'how-to/metabase-and-superset.md',
  'how-to/data-package.md',
  'how-to/mirror.md',
  'how-to/openbb.md',
  'how-to/mcp.md',
  'how-to/follow.md',
  'explanation/trust.md',
];

/** Runs the code blocks of one language. */
interface Runner {
  /** Why they cannot run here; undefined if they can. */
  readonly explainMissing: (page: string, blocks: readonly CodeBlock[]) => string | undefined;
  readonly run: (workspace: ExampleWorkspace, blocks: readonly CodeBlock[]) => Promise<void>;
}

let workspace: ExampleWorkspace;
beforeAll(async () => {
  workspace = await createExampleWorkspace();
});
afterAll(() => workspace.close());

const MARK = '@ end of a block @';

/** The code of all blocks, each followed by a statement that prints the mark. */
const joinWithMarks = (blocks: readonly CodeBlock[], mark: string) =>
  blocks.map(({ code }) => `${code}\n${mark}\n`).join('');

/** Throws if a block printed something else than the page shows. */
function assertOutput(printed: string, blocks: readonly CodeBlock[]): void {
  for (const [index, { output, code }] of blocks.entries()) {
    const part = printed.split(MARK)[index] ?? '';
    if (output === undefined || matchesOutput(part, output)) continue;
    throw new Error(`${code}\nprints\n\n${part}\nbut the page shows\n\n${output}`);
  }
}

/** The real one takes most of the time of a command; the README is run with it. */
const NPX = `npx() { "${join(import.meta.dirname, '../../../bin')}/$1" "\${@:2}"; }`;

const RUNNERS: Readonly<Record<string, Runner>> = {
  sh: {
    explainMissing(_, blocks) {
      const needsSqlite = blocks.some(({ code }) => code.includes('sqlite3'));
      const tools = ['bash', 'curl', ...(needsSqlite ? ['sqlite3'] : [])];
      const missing = tools.find((tool) => !canRun(tool, '--version'));
      return missing && `${missing} is not installed`;
    },
    async run({ run }, blocks) {
      const script = joinWithMarks(blocks, `printf '%s' '${MARK}'`);
      assertOutput(await run(['bash', '-eu', '-c', `${NPX}\n${script}`]), blocks);
    },
  },
  python: {
    explainMissing: (page, blocks) => explainMissingModule(findModules(page, blocks)),
    async run({ run }, blocks) {
      assertOutput(await run([PYTHON, '-'], joinWithMarks(blocks, `print('${MARK}')`)), blocks);
    },
  },
  sql: {
    explainMissing: () => explainMissingModule(['duckdb']),
    async run({ run, env }, blocks) {
      const canLoad = canRun(
        PYTHON,
        '-c',
        'import duckdb; duckdb.connect().execute("LOAD httpfs")',
      );
      const usable = blocks.filter(({ code }) => canLoad || !code.includes('$TENOR_URL'));
      if (!canLoad) console.log('SQL over HTTP is not run, DuckDB has no httpfs');
      const sql = usable.map(({ code }) => code).join('\n');
      const statements = sql.replace(/\$(TENOR_URL|TENOR_TOKEN)/g, (_, name) => env[name] ?? '');
      const runner = 'import duckdb, sys; duckdb.connect().execute(sys.stdin.read())';
      await run([PYTHON, '-c', runner], statements);
    },
  },
  r: {
    explainMissing: () => (canRun('Rscript', '--version') ? undefined : 'Rscript is not installed'),
    async run({ run, folder }, blocks) {
      const isMissing = ({ code }: CodeBlock) =>
        [...code.matchAll(/library\((\w+)\)/g)].some(([load]) => !canRun('Rscript', '-e', load));
      // Later blocks depend on earlier ones, so that none after a missing package can run.
      const first = blocks.findIndex(isMissing);
      if (first !== -1) console.log(`R is not run from here on: ${blocks[first]?.code}`);
      const usable = first === -1 ? blocks : blocks.slice(0, first);
      const file = join(folder, 'how-to.R');
      await Bun.write(file, usable.map(({ code }) => code).join('\n'));
      await run(['Rscript', file]);
    },
  },
  ts: {
    explainMissing: () => undefined,
    async run({ run, folder }, blocks) {
      const file = join(folder, 'curve.ts');
      await Bun.write(file, joinWithMarks(blocks, `console.log('${MARK}');`));
      assertOutput(await run([process.execPath, file]), blocks);
    },
  },
};

/** The modules that a page installs with pip or imports. */
function findModules(page: string, blocks: readonly CodeBlock[]): string[] {
  const code = blocks.map((block) => block.code).join('\n');
  const imported = [...code.matchAll(/^(?:import|from) (\w+)/gm)].map(([, name = '']) => name);
  const installed = [...readPage(page).matchAll(/`pip install ([\w ]+)`/g)];
  return [...new Set([...imported, ...installed.flatMap(([, names = '']) => names.split(' '))])];
}

function explainMissingModule(modules: readonly string[]): string | undefined {
  if (!canRun(PYTHON, '--version')) return `${PYTHON} is not installed`;
  // The client is found by PYTHONPATH, and is not installed; what it needs has to be.
  const needed = modules.map((name) => (name === 'tenor_client' ? 'httpx' : name));
  const missing = needed.find((name) => !canRun(PYTHON, '-c', `import ${name}`));
  return missing && `${PYTHON} has no ${missing}`;
}

describe.each(PAGES)('%s', (page) => {
  const blocks = findCodeBlocks(page);
  for (const [language, { explainMissing, run }] of Object.entries(RUNNERS)) {
    const ofLanguage = blocks.filter((block) => block.language === language);
    if (ofLanguage.length === 0) continue;
    const missing = explainMissing(page, ofLanguage);
    if (missing) console.log(`docs/${page}: its ${language} is not run, ${missing}`);
    test.skipIf(missing !== undefined)(`its ${language} examples run and print what it shows`, () =>
      run(workspace, ofLanguage),
    );
  }

  test('its links lead to existing pages', async () => {
    const links = [...readPage(page).matchAll(/\]\(([^)#:]+)\)/g)].map(([, link = '']) => link);
    for (const link of links) {
      const target = join(import.meta.dirname, '../../../docs', page, '..', link);
      expect([
        link,
        await Bun.file(target)
          .stat()
          .catch(() => 'missing'),
      ]).not.toContain('missing');
    }
  });
});

describe('an error with status 200 becomes no table', () => {
  const unknown = "'/3.0/funds/allocation?fund_id=unknown'";
  test.each([
    ['pandas', `read_csv(${unknown})`],
    ['polars', `pl.read_ipc_stream(ask(${unknown}).read())`],
  ])('of %s', async (name, call) => {
    const page = `how-to/${name}.md`;
    const blocks = findCodeBlocks(page).filter(({ language }) => language === 'python');
    if (explainMissingModule(findModules(page, blocks))) return;
    const end = blocks.findIndex(({ code }) => code.includes('def ')) + 1;
    const code = blocks.slice(0, end).map((block) => block.code);
    const program = [...code, call].join('\n');
    await expect(workspace.run([PYTHON, '-'], program)).rejects.toThrow('no_record_found');
  });
});

test('the total return of the tutorial follows from quotes alone', async () => {
  const { TENOR_URL, TENOR_TOKEN } = workspace.env;
  const headers = { authorization: `Bearer ${TENOR_TOKEN}` };
  const target = '/2.0/bnb/quote?symbol=Z05PIB151029&limit=1000&from=2025-06-30&to=2026-06-30';
  const response = await fetch(`${TENOR_URL}${target}`, { headers });
  const { data } = (await response.json()) as { data: readonly Quote[] };
  const prices = new Map(data.map(({ date, lastPrice }) => [date, lastPrice]));
  const price = (date: string) => prices.get(date) ?? Number.NaN;
  const countDays = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000;
  const accrue = (from: string, to: string, next: string) =>
    (6.295 * countDays(from, to)) / countDays(from, next);
  const bought = price('2025-06-30') + accrue('2025-04-15', '2025-07-01', '2025-10-15');
  const sold = price('2026-06-30') + accrue('2026-04-15', '2026-07-01', '2026-10-15');
  const withCash = (sold + 2 * 6.295) / bought - 1;
  // What is traded a day before a coupon settles on its day, without accrued interest.
  const units = (1 + 6.295 / price('2025-10-14')) * (1 + 6.295 / price('2026-04-14'));
  const reinvested = (units * sold) / bought - 1;
  const page = readPage('tutorial.md');
  expect(page).toContain(`coupons kept as cash: ${(100 * withCash).toFixed(4)}%\n`);
  expect(page).toContain(`coupons reinvested:   ${(100 * reinvested).toFixed(4)}%\n`);
});

test('every target of the recipes gives figures', async () => {
  const { TENOR_URL, TENOR_TOKEN } = workspace.env;
  const headers = { authorization: `Bearer ${TENOR_TOKEN}`, accept: 'text/csv' };
  const targets = [...readPage('how-to/recipes.md').matchAll(/\| `(\/[^`]+)` \|/g)];
  expect(targets).toHaveLength(4);
  for (const [, target = ''] of targets) {
    const response = await fetch(TENOR_URL + target, { headers });
    const [, ...rows] = (await response.text()).split('\r\n');
    expect([target, response.status]).toEqual([target, 200]);
    // The newest period may be incomplete, and then has no mean.
    expect(rows.filter((row) => /,-?\d/.test(row)).length).toBeGreaterThan(1);
  }
});

describe('the sed command of the tutorial for Link headers', () => {
  const recipe = /sed -n '.*'/.exec(readPage('tutorial.md'))?.[0] ?? '';
  const next = '</2.0/bnb/quote?limit=1&cursor=a,b>; rel="next"';
  const others = ['</first>; rel="first"', '</then>; rel="original timegate"'];

  test.each([
    ['first', [next, ...others]],
    ['in between', [others[0], next, others[1]]],
    ['last', [...others, next]],
  ])('finds the next page if it is %s', async (_, links) => {
    const headers = `HTTP/1.1 200 OK\r\nLink: ${links.join(', ')}\r\nVary: Accept\r\n`;
    const output = await workspace.run(['bash', '-c', recipe], headers);
    expect(output.trim()).toBe('/2.0/bnb/quote?limit=1&cursor=a,b');
  });

  test('finds nothing on the last page', async () => {
    const output = await workspace.run(['bash', '-c', recipe], `Link: ${others.join(', ')}\r\n`);
    expect(output).toBe('');
  });
});

test('every code block has a language that is run, checked, or only shown', () => {
  const checked = [...Object.keys(RUNNERS), 'powerquery', 'js'];
  const shownOnly = ['console', 'crontab', 'bash', 'json', 'yaml', 'ini', 'nginx', 'text', ''];
  for (const page of PAGES) {
    for (const { language } of findCodeBlocks(page))
      expect([...checked, ...shownOnly]).toContain(language);
  }
});
