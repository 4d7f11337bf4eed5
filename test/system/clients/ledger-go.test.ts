import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../../src/catalogue/index.ts';
import { startServer } from '../../../src/http/server/start-server.ts';
import { openNote, parseVerifierKey } from '../../../src/ledger/note.ts';
import { createReadHash } from '../../../src/ledger/read-leaves.ts';
import {
  hashLeaf,
  hashSubtree,
  proveConsistency,
  proveInclusion,
} from '../../../src/ledger/tree.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { createSampleFile } from '../../support/damaged-server.ts';
import { FakeLedger } from '../../support/fake-ledger.ts';
import { encodeRow } from '../../support/publish-at.ts';
import { quote } from '../../support/quote-fixture.ts';
import { runTenor } from '../../support/run-tenor.ts';
import { spawnChild } from '../../support/spawn-child.ts';
import { createTempFolder } from '../../support/store.ts';
import { SERVER_SETTINGS } from '../../support/test-server.ts';

/** A program that prints what the packages of Go's checksum database make of its input. */
const PROGRAM = join(import.meta.dirname, '../../support/sumdb');

const go = Bun.which('go') ?? Bun.which('/usr/local/go/bin/go');
const canBuild =
  go !== null && Bun.spawnSync([go, 'mod', 'download'], { cwd: PROGRAM }).exitCode === 0;
/** Without a cache it takes a minute of a free core. */
const BUILD_TIMEOUT_MS = 600_000;
// Publishes hundreds of revisions, on a machine that may be busy.
setDefaultTimeout(300_000);
if (!canBuild)
  console.warn('The comparison with Go is skipped: there is no go, or no golang.org/x/mod.');

interface GoResult {
  readonly Roots: readonly string[];
  readonly Inclusion: readonly (readonly (readonly string[])[])[];
  readonly Consistency: readonly (readonly (readonly string[])[])[];
  readonly Opened: string;
  readonly Signed: string;
  readonly SignedKey: string;
}

const folder = createTempFolder();
afterAll(() => rmSync(folder, { recursive: true }));
const program = join(folder, 'sumdb');
beforeAll(async () => {
  if (canBuild) await run([go ?? '', 'build', '-o', program, '.']);
}, BUILD_TIMEOUT_MS);

async function run(command: string[], stdin?: Blob): Promise<string> {
  const child = spawnChild(command, { cwd: PROGRAM, stdin: stdin ?? 'ignore', stderr: 'pipe' });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(err);
  return out;
}

async function runGo<T>(input: object, ...args: readonly string[]): Promise<T> {
  return JSON.parse(await run([program, ...args], new Blob([JSON.stringify(input)]))) as T;
}

test.skipIf(!canBuild)('trees, proofs and notes are those of golang.org/x/mod/sumdb', async () => {
  const ledger = await FakeLedger.create('fake.example/log');
  await ledger.publish('rates');
  const Note = await ledger.sign();
  const leaves = Array.from({ length: 40 }, () => crypto.getRandomValues(new Uint8Array(32)));
  const Leaves = leaves.map((leaf) => leaf.toHex());
  const Text = 'a text\nof two lines\n';
  const result = await runGo<GoResult>({ Leaves, Key: ledger.key, Note, Text });
  const read = createReadHash(await Promise.all(leaves.map(hashLeaf)));
  for (const [index, root] of result.Roots.entries()) {
    const size = index + 1;
    expect((await hashSubtree(0, size, read)).toHex()).toBe(root);
    for (let leaf = 0; leaf < size; leaf += 1) {
      const inclusion = await proveInclusion(leaf, size, read);
      expect(inclusion.map((hash) => hash.toHex())).toEqual([
        ...(result.Inclusion[index]?.[leaf] ?? []),
      ]);
      const consistency = await proveConsistency(leaf + 1, size, read);
      expect(consistency.map((hash) => hash.toHex())).toEqual([
        ...(result.Consistency[index]?.[leaf] ?? []),
      ]);
    }
  }
  expect(result.Roots).toHaveLength(40);
  expect(Note.startsWith(`${result.Opened}\n— fake.example/log `)).toBe(true);
  const key = await parseVerifierKey(result.SignedKey);
  expect(key && (await openNote(result.Signed, key))).toBe(Text);
});

interface ServiceResult {
  readonly Origin: string;
  readonly Size: number;
  readonly Root: string;
  readonly Tiles: readonly string[];
}

test.skipIf(!canBuild)(
  'golang.org/x/mod/sumdb verifies the log of a server: its checkpoint, tiles and proofs',
  async () => {
    const path = join(folder, 'sample.db');
    await createSampleFile(path, '2026-07-01');
    const store = { ...(await openStore(`sqlite:${path}`, catalogue)), url: `sqlite:${path}` };
    const publisher = store.publisher();
    // More than a tile; in one transaction, which takes less time.
    await publisher.transaction(async ({ publish }) => {
      for (let volume = 0; volume < 256; volume++) {
        const rows = [[encodeRow(quotes, quote({ symbol: 'MANY', volume }))]];
        await publish({ dataset: quotes, rows, source: 'test', author: 'test' });
      }
    });
    publisher.close();
    const server = await startServer({
      store,
      catalogue,
      settings: SERVER_SETTINGS,
      emit() {},
    });
    const tenor = (...args: string[]) => runTenor(args, { DATABASE_URL: store.url });
    const verify = async (key: string) => runGo<ServiceResult>({}, server.address, key);
    const key = (await tenor('ledger', 'key')).out.trim();
    const { Tiles, ...log } = await verify(key);
    expect(log.Size).toBeGreaterThan(256 + 20);
    expect(Tiles).toContain('/ledger/tile/0/000');
    expect(Tiles).toContain('/ledger/tile/1/000.p/1');
    const { out } = await tenor('verify', '--json', '--log-only');
    const { origin: Origin, size: Size, root: Root } = JSON.parse(out);
    expect(log).toEqual({ Origin, Size, Root });
    const replaced = await tenor('ledger', 'rotate-key', '--json');
    expect(await verify(JSON.parse(replaced.out).key)).toMatchObject(log);
    await expect(verify(key)).rejects.toThrow('note has no verifiable signatures');
    await server.stop();
  },
);
