import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { createSamplePublications } from '../../../scripts/sample/sample-publications.ts';
import { findCodeBlocks, readPage } from './code-blocks.ts';
import { canRun, createExampleWorkspace, type ExampleWorkspace } from './example-workspace.ts';

// Starts the command many times, by npx.
setDefaultTimeout(120_000);

const LAST_OF_SAMPLE = createSamplePublications().length;

/** The block of commands that has this text, with the address of the server of the test. */
function findScript(text: string): string {
  const block = findCodeBlocks('../README.md').find(({ code }) => code.includes(text));
  if (!block) throw new Error(`the README has no block with ${text}`);
  return block.code.replaceAll('http://127.0.0.1:8080', '$TENOR_URL');
}

describe.skipIf(!canRun('curl', '--version'))('the README, beside a server with the sample', () => {
  let workspace: ExampleWorkspace;
  beforeAll(async () => {
    workspace = await createExampleWorkspace();
  });
  afterAll(() => workspace.close());

  /** What each line prints. */
  async function runLines(script: string): Promise<string[]> {
    const mark = '@ end of a line @';
    const lines = script.split('\n').map((line) => `${line}\nprintf '%s' '${mark}'\n`);
    const printed = await workspace.run(['bash', '-eu', '-c', lines.join('')]);
    return printed.split(mark).filter((part) => part.trim() !== '');
  }

  const askJson = async (path: string) => {
    const { TENOR_URL, TENOR_TOKEN } = workspace.env;
    const headers = {
      authorization: `Bearer ${TENOR_TOKEN}`,
      'tenor-revision': String(LAST_OF_SAMPLE + 2),
    };
    const response = await fetch(`${TENOR_URL}${path}`, { headers });
    return (await response.json()) as { data: unknown };
  };

  test('every line under Query prints data', async () => {
    const printed = await runLines(findScript('get() {'));
    const table = printed.pop();
    const csv = printed.pop();
    expect(printed).toHaveLength(5);
    for (const body of printed) expect(JSON.parse(body).status).toBe('ok');
    expect(csv).toMatch(/^date,symbol,.*\r\n2026-06-30,ZZ/);
    expect(table).toContain(`\n22 records · revision ${LAST_OF_SAMPLE}\n`);
  });

  test('names the number of revisions of the sample', () => {
    expect(readPage('../README.md')).toContain(`the sample has ${LAST_OF_SAMPLE},`);
  });

  test('every line under Publish does what it says, and the data is as before after revert', async () => {
    const [load, revisions, revert, token, ...others] = await runLines(findScript('tenor load'));
    const published = LAST_OF_SAMPLE + 1;
    expect(load).toEndWith(
      `\nPublished revision ${published}: 2 added, 0 corrected, 0 retired, 0 unchanged.\n`,
    );
    expect(load).not.toContain('Warning');
    expect(revisions).toMatch(new RegExp(`\\n${published} .* quotes .* new-bills\\.csv\\n`));
    expect(revert).toBe(
      `Published revision ${published + 1}: 0 added, 0 corrected, 2 retired, 0 unchanged.\n`,
    );
    expect(token).toContain('tenor_');
    expect(others).toEqual([]);
    const during = `/changes/quotes?since=${LAST_OF_SAMPLE}&until=${published}`;
    expect((await askJson(during)).data).toHaveLength(2);
    expect((await askJson(`/changes/quotes?since=${LAST_OF_SAMPLE}`)).data).toEqual([]);
  });
});
