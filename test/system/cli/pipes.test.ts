import { describe, expect, test } from 'bun:test';
import { createPublishingWorkspace, ONLINE } from '../../cli/publishing-workspace.ts';
import { COMMAND, ROOT, spawnTenor } from '../../support/run-tenor.ts';
import { isLinux } from '../../support/workers.ts';

const { workspace, publish, writeFile, writeYears } = createPublishingWorkspace();

describe('tenor load with an adapter that prints a megabyte after its only record', () => {
  const startLoad = (lastStatement: string, command = COMMAND) => {
    const source = `export default function* () {
      yield { year: 2024, cash_wtl: 1, cash_deposit: 1, funds_transfer: 1, total: 3 };
      process.stdout.write('#'.repeat(1_000_000));
      ${lastStatement}
    }`;
    const path = writeFile('a.csv', 'Y\n2024\n');
    const args = ['load', ONLINE, path, '--adapter', writeFile('adapter.ts', source)];
    return spawnTenor(args, workspace.env, 'pipe', { command });
  };

  test.each([
    ["console.log('last line')", /^1000000 last line\n$/],
    ["throw new Error('no more')", /^1000000 tenor: .*adapter.ts line 4: no more\n$/],
  ])('prints all of it to a slow reader, then %p', async (statement, expected) => {
    const pipeline = '"$@" 2>&1 >/dev/null | { sleep 2; cat; }';
    const child = startLoad(statement, ['sh', '-c', pipeline, 'sh', ...COMMAND]);
    const text = await new Response(child.stdout).text();
    expect(text.replace(/#+/, ({ length }) => `${length} `)).toMatch(expected);
  });

  test.skipIf(!isLinux)('publishes if standard error cannot be written', async () => {
    const command = ['sh', '-c', 'exec "$@" 2>/dev/full', 'sh', ...COMMAND];
    expect(await startLoad('', command).exited).toBe(0);
  });
});

test('tenor query exits with 0 when its output is closed early', async () => {
  await publish(writeYears('a.csv', { 2023: 5, 2024: 6 }));
  const env = { ...process.env, ...workspace.env };
  for (const words of [ONLINE, `${ONLINE} --csv`, 'catalogue --json']) {
    const { stdout, stderr } = Bun.spawnSync(
      ['sh', '-c', `{ bin/tenor query ${words}; echo "status $?" >&2; } | head -1`],
      { cwd: ROOT, env },
    );
    expect(stdout.toString().split('\n')).toHaveLength(2);
    expect(stderr.toString()).toBe('status 0\n');
  }
});
