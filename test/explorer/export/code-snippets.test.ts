import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { catalogue } from '../../../src/catalogue/index.ts';
import {
  buildSnippet,
  LANGUAGES,
  type SnippetContext,
} from '../../../src/explorer/export/code-snippets.ts';
import { createFilledStore } from '../../support/store.ts';
import { startTestServer, type TestServer, TOKEN } from '../../support/test-server.ts';

const CLIENTS = join(import.meta.dirname, '../../../clients');
const entries = catalogue.map(({ name, paths: [path], shape }) => ({ name, path, shape }));
const [quotes] = entries;
const series = entries.find(({ shape }) => shape === 'series');

describe('what is copied as code', () => {
  let service: TestServer;
  let asking: Omit<SnippetContext, 'question'>;
  beforeAll(async () => {
    service = await startTestServer(await createFilledStore());
    asking = { base: `${service.address}/`, asOf: undefined, catalogue: entries };
  });
  afterAll(() => service.stop());

  const questions = [
    { what: 'a day', path: quotes?.path ?? '', parameters: { type: 'bond', limit: 3 } },
    {
      what: 'a history',
      path: quotes?.path ?? '',
      parameters: { from: '2000-01-01', limit: 2 },
      allPages: true,
    },
    { what: 'a series', path: series?.path ?? '' },
    { what: 'what was published', path: '/revisions', parameters: { limit: 2 } },
  ];

  test.each(questions)('asks for $what: curl runs as it is', async ({ what, ...question }) => {
    const { data } = JSON.parse(
      await ran(['sh', '-c', buildSnippet('curl', { ...asking, question })]),
    );
    expect(data).toEqual((await answerTo(question)).data);
  });

  test.each(questions)(
    'asks for $what: TypeScript runs as it is',
    async ({ what, ...question }) => {
      const code = buildSnippet('TypeScript', { ...asking, question })
        .replace("'tenor-client'", JSON.stringify(join(CLIENTS, 'typescript/src/index.ts')))
        .replace('console.log(data)', 'console.log(JSON.stringify(data))');
      const data = JSON.parse(await ran([process.execPath, '--eval', code]));
      expect(data).toEqual((await answerTo(question, question.allPages)).data);
    },
  );

  test.skipIf(!Bun.which('python3')).each(questions)(
    'asks for $what: Python runs as it is',
    async ({ what, ...question }) => {
      const code = buildSnippet('Python', { ...asking, question });
      const asJson = `${code}`.replace('print(data)', 'import json; print(json.dumps(data))');
      const data = JSON.parse(await ran(['python3', '-c', asJson]));
      expect(data).toEqual((await answerTo(question, question.allPages)).data);
    },
  );

  test('asks of the same instant, in every language', () => {
    const past = {
      ...asking,
      asOf: '2026-07-02T00:00:00Z',
      question: { path: series?.path ?? '' },
    };
    expect(buildSnippet('curl', past)).toContain("-H 'Accept-Datetime: 2026-07-02T00:00:00Z'");
    expect(buildSnippet('TypeScript', past)).toContain('.asOf("2026-07-02T00:00:00Z")');
    expect(buildSnippet('Python', past)).toContain('.as_of("2026-07-02T00:00:00Z")');
  });

  test('stays one argument of a shell, whatever a symbol has in it', async () => {
    const question = { path: '/x', parameters: { symbol: `a'b "$(echo no)\` c` } };
    const line = buildSnippet('curl', { ...asking, question }).replace('curl', 'printf "%s\\n"');
    const printed = (await ran(['sh', '-c', line])).trim().split('\n');
    const sent = new URL(printed.at(-1) ?? '').searchParams.get('symbol');
    expect(sent).toBe(question.parameters.symbol);
  });

  test('never has a token in it', () => {
    for (const language of LANGUAGES) {
      const code = buildSnippet(language, { ...asking, question: { path: '/revisions' } });
      expect(code).toContain('TENOR_TOKEN');
      expect(code).not.toContain(TOKEN);
    }
  });

  async function answerTo(request: SnippetContext['question'], isWhole = false) {
    const { limit, ...rest } = { limit: undefined, ...request.parameters };
    const sought = { ...rest, ...(isWhole ? { limit: 10_000 } : limit && { limit }) };
    const query = new URLSearchParams(
      Object.entries(sought).map(([k, v]): [string, string] => [k, `${v}`]),
    );
    return service.getJson(`${request.path}?${query}`);
  }
});

/** What a command printed; one that failed is an error with what it said. */
async function ran(command: string[]): Promise<string> {
  const PYTHONPATH = join(CLIENTS, 'python');
  const env = { ...process.env, TENOR_TOKEN: TOKEN, PYTHONPATH, PYTHONDONTWRITEBYTECODE: '1' };
  const child = Bun.spawn(command, { env, stdout: 'pipe', stderr: 'pipe' });
  const [output, said] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')}: ${said}`);
  return output;
}
