import { mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, runCommand } from '../server-processes.ts';

/** The commit that this tree is compared with as long as there is no release. */
const COMMIT_BEFORE_FIRST_RELEASE = '2fb65cf';

/** The newest release before this tree, if there is one. */
export function findPreviousRelease(): string {
  const { stdout, success } = Bun.spawnSync(
    ['git', 'describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^'],
    { cwd: ROOT, stderr: 'ignore' },
  );
  return success ? stdout.toString().trim() : COMMIT_BEFORE_FIRST_RELEASE;
}

/** The files of a commit, ready to run, in a temporary folder. */
export interface ReleaseTree {
  readonly root: string;
  remove(): Promise<void>;
}

export async function checkOut(ref: string): Promise<ReleaseTree> {
  const folder = mkdtempSync(join(tmpdir(), 'tenor-gate-'));
  const root = join(folder, 'tree');
  await runCommand(['git', '-C', ROOT, 'worktree', 'add', '--detach', root, ref]);
  if (readLockfile(root) === readLockfile(ROOT)) shareDependencies(root);
  else await runCommand(['npm', '--prefix', root, 'ci', '--no-audit', '--no-fund']);
  return {
    root,
    async remove() {
      await runCommand(['git', '-C', ROOT, 'worktree', 'remove', '--force', root]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function shareDependencies(root: string): void {
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  // bin/setup.mjs would install what a newer lockfile asks for.
  utimesSync(join(root, 'package-lock.json'), 0, 0);
}

const readLockfile = (root: string) => readFileSync(join(root, 'package-lock.json'), 'utf8');
