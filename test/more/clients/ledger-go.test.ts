import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { openNote, parseVerifierKey } from '../../../clients/typescript/src/ledger/note.ts';
import {
  hashLeaf,
  hashSubtree,
  proveConsistency,
  proveInclusion,
} from '../../../clients/typescript/src/ledger/tree.ts';
import { FakeLedger, readHashesOf } from '../../support/fake-ledger.ts';

/** A program that prints what the packages of Go's checksum database make of its input. */
const PROGRAM = join(import.meta.dirname, '../../support/sumdb');

const go = Bun.which('go') ?? Bun.which('/usr/local/go/bin/go');
const canBuild =
  go !== null && Bun.spawnSync([go, 'mod', 'download'], { cwd: PROGRAM }).exitCode === 0;
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

async function runGo(input: object): Promise<GoResult> {
  const command = [go ?? '', 'run', '.'];
  const child = Bun.spawn(command, { cwd: PROGRAM, stdin: new Blob([JSON.stringify(input)]) });
  return (await new Response(child.stdout).json()) as GoResult;
}

test.skipIf(!canBuild)(
  'trees, proofs and notes are those of golang.org/x/mod/sumdb',
  async () => {
    const ledger = await FakeLedger.create('fake.example/log');
    await ledger.publish('rates');
    const Note = await ledger.sign();
    const leaves = Array.from({ length: 40 }, () => crypto.getRandomValues(new Uint8Array(32)));
    const Leaves = leaves.map((leaf) => leaf.toHex());
    const Text = 'a text\nof two lines\n';
    const result = await runGo({ Leaves, Key: ledger.key, Note, Text });
    const read = readHashesOf(await Promise.all(leaves.map(hashLeaf)));
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
  },
  120_000,
);
