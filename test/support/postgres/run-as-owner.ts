import { spawn, spawnSync } from 'node:child_process';
import { chownSync, writeFileSync } from 'node:fs';

/** How every server process is spawned: away from the terminal, the tester's settings and root. */
export function getSpawnOptions(folder: string) {
  return {
    ...getOwner(),
    cwd: folder,
    detached: true,
    env: { PATH: process.env.PATH ?? '', LC_ALL: 'C' },
  };
}

/** Gives a file or folder to the user that the servers run as. */
export function giveToOwner(path: string): void {
  const { uid, gid } = getOwner();
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

/** Writes a file that the server may rewrite and remove. */
export function writeOwned(path: string, text: string): void {
  writeFileSync(path, text);
  giveToOwner(path);
}

/** Runs a command as the servers' user to its end; throws what it complained of. */
export async function runAsOwner(
  folder: string,
  command: string,
  args: readonly string[],
): Promise<void> {
  const child = spawn(command, args, {
    ...getSpawnOptions(folder),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaint += text;
  });
  const status = await new Promise((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  if (status !== 0) throw new Error(`${command} failed: ${complaint}`);
}

interface Owner {
  readonly uid?: number;
  readonly gid?: number;
}

let cachedOwner: Owner | undefined;

/** PostgreSQL refuses to run as root, so root runs it as nobody. */
export function getOwner(): Owner {
  cachedOwner ??=
    process.getuid?.() === 0 ? { uid: findNobodyId('-u'), gid: findNobodyId('-g') } : {};
  return cachedOwner;
}

function findNobodyId(which: '-u' | '-g'): number {
  const { status, stdout } = spawnSync('id', [which, 'nobody'], { encoding: 'utf8' });
  if (status !== 0) throw new Error('PostgreSQL does not run as root, and there is no user nobody');
  return Number(stdout);
}
