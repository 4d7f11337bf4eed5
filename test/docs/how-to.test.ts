import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { type Block, blocksIn, isAsSaid, pageText } from './code-blocks.ts';
import { type Desk, desk, PYTHON, works } from './example-workspace.ts';

const pages = [
  'tutorial.md',
  'how-to/curl-and-cron.md',
  'how-to/pandas.md',
  'how-to/polars.md',
  'how-to/duckdb.md',
  'how-to/r.md',
  'how-to/excel.md',
  'how-to/google-sheets.md',
];

/** A way to run the blocks of one language; what they need is told where it is missing. */
interface Runner {
  readonly needs: (page: string, blocks: readonly Block[]) => string | undefined;
  readonly run: (desk: Desk, blocks: readonly Block[]) => Promise<void>;
}

let table: Desk;
beforeAll(async () => {
  table = await desk();
});
afterAll(() => table.clear());

const MARK = '@ end of a block @';

/** The code of all blocks, with something that prints the mark behind each. */
const marked = (blocks: readonly Block[], mark: string) =>
  blocks.map(({ code }) => `${code}\n${mark}\n`).join('');

/** Throws where a block printed something else than the page says. */
function checkPrinted(printed: string, blocks: readonly Block[]): void {
  for (const [index, { prints, code }] of blocks.entries()) {
    const part = printed.split(MARK)[index] ?? '';
    if (prints === undefined || isAsSaid(part, prints)) continue;
    throw new Error(`${code}\nprints\n\n${part}\nbut the page says\n\n${prints}`);
  }
}

const runners: Readonly<Record<string, Runner>> = {
  sh: {
    needs: () => (works('bash', '-c', 'curl --version') ? undefined : 'bash or curl is not here'),
    async run({ run }, blocks) {
      const script = marked(blocks, `printf '%s' '${MARK}'`);
      checkPrinted(await run(['bash', '-eu', '-c', script]), blocks);
    },
  },
  python: {
    needs: (page, blocks) => missingModule(modulesIn(page, blocks)),
    async run({ run }, blocks) {
      checkPrinted(await run([PYTHON, '-'], marked(blocks, `print('${MARK}')`)), blocks);
    },
  },
  sql: {
    needs: () => missingModule(['duckdb']),
    async run({ run, env }, blocks) {
      const canLoad = works(PYTHON, '-c', 'import duckdb; duckdb.connect().execute("LOAD httpfs")');
      const usable = blocks.filter(({ code }) => canLoad || !code.includes('$TENOR_URL'));
      if (!canLoad) console.log('SQL over HTTP is not run, DuckDB has no httpfs');
      const sql = usable.map(({ code }) => code).join('\n');
      const filled = sql.replace(/\$(TENOR_URL|TENOR_TOKEN)/g, (_, name) => env[name] ?? '');
      const runner = 'import duckdb, sys; duckdb.connect().execute(sys.stdin.read())';
      await run([PYTHON, '-c', runner], filled);
    },
  },
  r: {
    needs: () => (works('Rscript', '--version') ? undefined : 'Rscript is not here'),
    async run({ run, folder }, blocks) {
      const isMissing = ({ code }: Block) =>
        [...code.matchAll(/library\((\w+)\)/g)].some(([load]) => !works('Rscript', '-e', load));
      // Later blocks go on from earlier ones, so what comes behind a missing package cannot run.
      const first = blocks.findIndex(isMissing);
      if (first !== -1) console.log(`R is not run from here on: ${blocks[first]?.code}`);
      const usable = first === -1 ? blocks : blocks.slice(0, first);
      const file = join(folder, 'how-to.R');
      await Bun.write(file, usable.map(({ code }) => code).join('\n'));
      await run(['Rscript', file]);
    },
  },
  ts: {
    needs: () => undefined,
    async run({ run, folder }, blocks) {
      const file = join(folder, 'curve.ts');
      await Bun.write(file, marked(blocks, `console.log('${MARK}');`));
      checkPrinted(await run([process.execPath, file]), blocks);
    },
  },
};

/** The pip names that a page tells, and what its code imports. */
function modulesIn(page: string, blocks: readonly Block[]): string[] {
  const code = blocks.map((block) => block.code).join('\n');
  const imported = [...code.matchAll(/^(?:import|from) (\w+)/gm)].map(([, name = '']) => name);
  const told = [...pageText(page).matchAll(/`pip install ([\w ]+)`/g)];
  return [...new Set([...imported, ...told.flatMap(([, names = '']) => names.split(' '))])];
}

function missingModule(modules: readonly string[]): string | undefined {
  if (!works(PYTHON, '--version')) return `${PYTHON} is not here`;
  // The client is found by its path, and is not installed.
  const others = modules.filter((name) => name !== 'tenor_client');
  const missing = others.find((name) => !works(PYTHON, '-c', `import ${name}`));
  return missing && `${PYTHON} has no ${missing}`;
}

describe.each(pages)('%s', (page) => {
  const blocks = blocksIn(page);
  for (const [language, { needs, run }] of Object.entries(runners)) {
    const ours = blocks.filter((block) => block.language === language);
    if (ours.length === 0) continue;
    const missing = needs(page, ours);
    if (missing) console.log(`docs/${page}: its ${language} is not run, ${missing}`);
    test.skipIf(missing !== undefined)(`what it shows in ${language} runs as it is written`, () =>
      run(table, ours),
    );
  }

  test('links lead to pages that are there', async () => {
    const links = [...pageText(page).matchAll(/\]\(([^)#:]+)\)/g)].map(([, link = '']) => link);
    for (const link of links) {
      const target = join(import.meta.dirname, '../../docs', page, '..', link);
      expect([
        link,
        await Bun.file(target)
          .stat()
          .catch(() => 'is not there'),
      ]).not.toContain('is not there');
    }
  });
});

describe('the recipe of the tutorial for Link', () => {
  const recipe = /sed -n '.*'/.exec(pageText('tutorial.md'))?.[0] ?? '';
  const next = '</2.0/bnb/quote?limit=1&cursor=a,b>; rel="next"';
  const others = ['</first>; rel="first"', '</then>; rel="original timegate"'];

  test.each([
    ['first', [next, ...others]],
    ['in between', [others[0], next, others[1]]],
    ['last', [...others, next]],
  ])('finds the next page where it is %s', async (_, links) => {
    const headers = `HTTP/1.1 200 OK\r\nLink: ${links.join(', ')}\r\nVary: Accept\r\n`;
    const found = await table.run(['bash', '-c', recipe], headers);
    expect(found.trim()).toBe('/2.0/bnb/quote?limit=1&cursor=a,b');
  });

  test('finds none where there is none', async () => {
    const found = await table.run(['bash', '-c', recipe], `Link: ${others.join(', ')}\r\n`);
    expect(found).toBe('');
  });
});

test('every block of code is of a kind that is run, checked, or only to be read', () => {
  const checked = [...Object.keys(runners), 'powerquery', 'js'];
  const read = ['console', 'crontab', ''];
  for (const page of pages) {
    for (const { language } of blocksIn(page)) expect([...checked, ...read]).toContain(language);
  }
});
