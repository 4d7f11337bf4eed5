import { beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { catalogue } from '../../../src/catalogue/index.ts';
import {
  buildSnippet,
  LANGUAGES,
  type SnippetContext,
} from '../../../src/explorer/export/build-snippet.ts';
import { declareIn, KIBOR, KIBOR_RECORDS, kibor } from '../../support/declared-rates.ts';
import { spawnChild } from '../../support/spawn-child.ts';
import { createFilledStore } from '../../support/store.ts';
import { TOKEN } from '../../support/test-server.ts';
import { useTestServer } from '../../support/use-test-server.ts';
import { canRun } from '../docs/example-workspace.ts';

const CLIENTS = join(import.meta.dirname, '../../../clients');
const entries = [...catalogue, kibor].map(({ name, paths: [path], shape }) => ({
  name,
  path,
  shape,
}));
const [quotes] = entries;
const series = entries.find(({ shape }) => shape === 'series');

describe('a code snippet', () => {
  const server = useTestServer(async () => {
    const store = await createFilledStore();
    await declareIn(store, KIBOR);
    await store.publish(kibor, KIBOR_RECORDS);
    return store;
  });
  let context: Omit<SnippetContext, 'request'>;
  beforeAll(() => {
    context = { baseUrl: `${server.address}/`, asOf: undefined, catalogue: entries };
  });

  const requests = [
    { subject: 'a day', path: quotes?.path ?? '', parameters: { type: 'bond', limit: 3 } },
    {
      subject: 'a history',
      path: quotes?.path ?? '',
      parameters: { from: '2000-01-01', limit: 2 },
      allPages: true,
    },
    { subject: 'a series', path: series?.path ?? '' },
    {
      subject: 'a declared dataset',
      path: '/datasets/kibor',
      parameters: { tenor: '6M', limit: 10_000 },
    },
    {
      subject: 'an aligned table',
      path: '/aligned',
      parameters: { columns: 'kibor.bid(tenor=6M),kibor.bid(tenor=6M):chg', from: '2026-06-01' },
    },
    { subject: 'the ledger', path: '/revisions', parameters: { limit: 2 } },
  ];

  test.each(requests)('for $subject runs as it is', async ({ subject, ...request }) => {
    const build = (language: (typeof LANGUAGES)[number]) =>
      buildSnippet(language, { ...context, request });
    const firstPage = JSON.parse(await runCommand(['sh', '-c', build('curl')]));
    expect(firstPage.data).toEqual((await readData({ ...request, allPages: false })).data);

    const typescript = build('TypeScript')
      .replace("'tenor-client'", JSON.stringify(join(CLIENTS, 'typescript/src/index.ts')))
      .replace('console.log(data)', 'console.log(JSON.stringify(data))');
    const { data } = await readData(request);
    expect(JSON.parse(await runCommand([process.execPath, '--eval', typescript]))).toEqual(data);

    if (!canRun('python3', '-c', 'import httpx')) return;
    const asJson = 'import json; print(json.dumps(data))';
    const python = build('Python').replace('print(data)', asJson);
    expect(JSON.parse(await runCommand(['python3', '-c', python]))).toEqual(data);
  });

  test('reads as of the chosen instant in every language', () => {
    const request = { path: series?.path ?? '' };
    const asOfContext = { ...context, asOf: '2026-07-02T00:00:00Z', request };
    expect(buildSnippet('curl', asOfContext)).toContain(
      "-H 'Accept-Datetime: 2026-07-02T00:00:00Z'",
    );
    expect(buildSnippet('TypeScript', asOfContext)).toContain('.asOf("2026-07-02T00:00:00Z")');
    expect(buildSnippet('Python', asOfContext)).toContain('.as_of("2026-07-02T00:00:00Z")');
  });

  test('in curl quotes parameters so that the shell expands nothing', async () => {
    const request = { path: '/x', parameters: { symbol: `a'b "$(echo no)\` c` } };
    const line = buildSnippet('curl', { ...context, request }).replace('curl', 'printf "%s\\n"');
    const lines = (await runCommand(['sh', '-c', line])).trim().split('\n');
    const symbol = new URL(lines.at(-1) ?? '').searchParams.get('symbol');
    expect(symbol).toBe(request.parameters.symbol);
  });

  test('never contains a token', () => {
    for (const language of LANGUAGES) {
      const code = buildSnippet(language, { ...context, request: { path: '/revisions' } });
      expect(code).toContain('TENOR_TOKEN');
      expect(code).not.toContain(TOKEN);
    }
  });

  async function readData({ path, parameters, allPages }: SnippetContext['request']) {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters ?? {})) query.set(name, `${value}`);
    if (allPages) query.set('limit', '10000');
    return server.getJson(`${path}?${query}`);
  }
});

/** The output of a command; throws with its error output if it fails. */
async function runCommand(command: string[]): Promise<string> {
  const PYTHONPATH = join(CLIENTS, 'python');
  const env = { ...process.env, TENOR_TOKEN: TOKEN, PYTHONPATH, PYTHONDONTWRITEBYTECODE: '1' };
  const child = spawnChild(command, { env, stdout: 'pipe', stderr: 'pipe' });
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')}: ${errors}`);
  return output;
}
