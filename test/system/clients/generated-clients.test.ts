import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../../src/catalogue/index.ts';
import { createDeclaredDataset } from '../../../src/catalogue/model/create-dataset.ts';
import { buildDatasetDocument, buildOpenApiDocument } from '../../../src/openapi/document.ts';
import { spawnChild } from '../../support/spawn-child.ts';
import { createTempFolder } from '../../support/store.ts';

setDefaultTimeout(600_000);

/** The newest that run on the least Node that the project supports; no dependencies of it. */
const PACKAGES = {
  '@hey-api/openapi-ts': '0.95.0',
  'openapi-typescript': '7.13.0',
  orval: '7.13.2',
  typescript: '5.9.3',
};

/** The command of each generator, from a document to a folder. */
const GENERATORS = {
  'openapi-typescript': (input: string, output: string) => [input, '-o', join(output, 'api.ts')],
  'openapi-ts': (input: string, output: string) => ['-i', input, '-o', output],
  orval: (input: string, output: string) => [
    ...['--client', 'fetch', '--input', input, '--output', join(output, 'api.ts')],
  ],
} as const;

const declared = ['error', 'catalogue', 'quotes-2', 'quotes-type', 'reference'].map((name) =>
  createDeclaredDataset({
    name,
    title: name,
    period: { kind: 'month', field: 'month' },
    dimensions: [{ field: 'type', title: 'Type', codes: { a: 'A', b: 'B' } }],
    measures: [{ field: 'sort', title: 'Sort', unit: 'percent', kind: 'rate' }],
    status: true,
  }),
);

const DOCUMENTS = {
  all: buildOpenApiDocument([...catalogue, ...declared], '1.0.0'),
  one: buildDatasetDocument(declared[3] as (typeof declared)[number], '1.0.0'),
};

const STRICT = {
  compilerOptions: {
    ...{ strict: true, noEmit: true, target: 'es2022', module: 'esnext' },
    ...{ moduleResolution: 'bundler', lib: ['es2022', 'dom', 'dom.iterable'], types: [] },
  },
  include: ['*'],
};

const folder = createTempFolder();
afterAll(() => rmSync(folder, { recursive: true }));

const absent = await findAbsence();
if (absent) console.warn(`The tests of generated clients are skipped: ${absent}.`);

/** Why the generators cannot be installed. */
async function findAbsence(): Promise<string | undefined> {
  const { out: registry } = await run(['npm', 'config', 'get', 'registry']);
  try {
    await fetch(registry.trim(), { method: 'HEAD', signal: AbortSignal.timeout(10_000) });
    return undefined;
  } catch (cause) {
    return `the registry of npm cannot be reached (${(cause as Error).message})`;
  }
}

async function run(command: string[]): Promise<{ status: number; out: string }> {
  const child = spawnChild(command, { cwd: folder, stdout: 'pipe', stderr: 'pipe' });
  const texts = [new Response(child.stdout).text(), new Response(child.stderr).text()];
  const [[out = '', err = ''], status] = await Promise.all([Promise.all(texts), child.exited]);
  return { status, out: status === 0 ? out : out + err };
}

describe('clients that others generate from the OpenAPI documents', () => {
  test.skipIf(absent !== undefined)(
    'compile strictly, whatever values parameters and fields of one name have',
    async () => {
      const manifest = { private: true, type: 'module', dependencies: PACKAGES };
      writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
      const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
      expect(await run(['npm', 'install', ...options])).toMatchObject({ status: 0 });
      for (const [name, document] of Object.entries(DOCUMENTS)) {
        const input = join(folder, `${name}.json`);
        writeFileSync(input, JSON.stringify(document));
        for (const [generator, getArguments] of Object.entries(GENERATORS)) {
          const output = join(folder, `${name}-${generator}`);
          mkdirSync(output);
          const command = join(folder, 'node_modules/.bin', generator);
          const generated = await run([command, ...getArguments(input, output)]);
          expect({ name, generator, ...generated }).toMatchObject({ status: 0 });
          writeFileSync(join(output, 'tsconfig.json'), JSON.stringify(STRICT));
          const compiled = await run([join(folder, 'node_modules/.bin/tsc'), '-p', output]);
          expect({ name, generator, ...compiled }).toEqual({ name, generator, status: 0, out: '' });
        }
      }
    },
  );
});
