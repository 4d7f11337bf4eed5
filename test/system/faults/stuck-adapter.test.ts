import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { onlineBankingAnnualVolume as online } from '../../../src/catalogue/datasets/series/index.ts';
import { withAdapter } from '../../../src/publish/adapter/run-adapter.ts';
import { retryUntil } from '../../support/eventually.ts';
import { useLoadWorkspace } from '../../support/load-workspace.ts';
import { runTenorProcess, spawnTenor } from '../../support/run-tenor.ts';
import { ENGINES } from '../../support/store.ts';

const RECORD = { year: '2024', cash_wtl: 1, cash_deposit: 1, funds_transfer: 1, total: 3 };
/** Yields one record, says where it runs, and then never returns. */
const STUCK = `export default function* () {
  yield ${JSON.stringify(RECORD)};
  require('node:fs').writeFileSync(process.env.HOME + '/stuck', String(process.pid));
  for (;;);
}`;

let home: string | undefined;
beforeEach(() => {
  home = process.env.HOME;
});
afterEach(() => {
  process.env.HOME = home;
});

for (const { name: engine, createStore } of ENGINES) {
  describe(`on ${engine}`, () => {
    const workspace = useLoadWorkspace(createStore);

    test('an adapter that loops after its first record keeps no other publisher from publishing', async () => {
      process.env.HOME = workspace.folder;
      const file = { path: workspace.writeFile('adapter.ts', STUCK), name: 'adapter.ts' };
      workspace.writeFile('a.csv', 'a\n');
      const isEnded = new AbortController();
      const stuck = withAdapter(
        file,
        () => isEnded.signal.throwIfAborted(),
        (adapter) => workspace.load(online, 'a.csv', { adapter }),
      ).catch((cause) => cause);
      await retryUntil(10_000, async () =>
        expect(readdirSync(workspace.folder)).toContain('stuck'),
      );
      const others = workspace.store.publisher({ waitMs: 0 });
      const change = { dataset: online, source: 'other', author: 'other' };
      await others.transaction(async (transaction) => transaction.publish(change));
      others.close();
      isEnded.abort(new Error('interrupted'));
      expect(await stuck).toMatchObject({ message: 'interrupted' });
      expect(await workspace.readRevision()).toBe(0);
    });
  });
}

describe('an adapter that yields nothing for --adapter-timeout', () => {
  const workspace = useLoadWorkspace();

  test.each([
    ['after a record', STUCK, 'after 1 record'],
    [
      'before its first record',
      'export default async function* () { await new Promise(() => {}); }',
      'after 0 records',
    ],
    ['when it is imported', 'for (;;);', 'after 0 records'],
  ])('%s is ended, and a sentence says so', async (_, source, yielded) => {
    process.env.HOME = workspace.folder;
    const file = { path: workspace.writeFile('adapter.ts', source), name: 'adapter.ts' };
    workspace.writeFile('a.csv', 'a\n');
    const load = () =>
      withAdapter(
        file,
        () => {},
        (adapter) => workspace.load(online, 'a.csv', { adapter }),
        { timeoutMs: 3_000 },
      );
    expect(await workspace.describeRejection(load)).toEqual([
      `adapter.ts was ended: it yielded nothing for 3 seconds, ${yielded} (see --adapter-timeout)`,
    ]);
  });

  test('needs an adapter and a time', async () => {
    const load = (...options: string[]) =>
      runTenorProcess(['load', online.name, 'a.csv', ...options]);
    expect((await load('--adapter-timeout', '5s')).err).toBe(
      'tenor: --adapter-timeout needs --adapter FILE\n',
    );
    expect((await load('--adapter', 'a.ts', '--adapter-timeout', 'soon')).err).toBe(
      'tenor: --adapter-timeout must be a time such as 60s or 10min, or off\n',
    );
  });

  test('ends with a command that is killed, whose temporary files the next one removes', async () => {
    const temporary = join(workspace.folder, 'tmp');
    mkdirSync(temporary);
    const adapter = workspace.writeFile('adapter.ts', STUCK);
    const path = workspace.writeFile('a.csv', 'a\n');
    const settings = {
      DATABASE_URL: workspace.store.url,
      TMPDIR: temporary,
      HOME: workspace.folder,
    };
    const args = ['load', online.name, path, '--adapter', adapter];
    const command = spawnTenor(args, settings);
    // The file is there before it has its text.
    const readPid = async () => {
      const pid = Number(await Bun.file(join(workspace.folder, 'stuck')).text());
      expect(pid).toBePositive();
      return pid;
    };
    const pid = await retryUntil(10_000, readPid);
    expect(readdirSync(temporary)).toHaveLength(1);
    command.kill('SIGKILL');
    await retryUntil(10_000, async () => expect(() => process.kill(pid, 0)).toThrow());
    expect(readdirSync(temporary)).toHaveLength(1);
    const valid = workspace.writeFile('b.ts', `export default () => [${JSON.stringify(RECORD)}];`);
    const next = await runTenorProcess([...args.slice(0, 4), valid], settings);
    expect(next).toMatchObject({ status: 0 });
    expect(readdirSync(temporary)).toEqual([]);
  });
});
