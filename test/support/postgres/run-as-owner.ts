import { spawn, spawnSync } from 'node:child_process';
import { chownSync, writeFileSync } from 'node:fs';

/** Spawn options of server processes: detached, with a minimal environment, not as root. */
export function getSpawnOptions(folder: string) {
  return {
    ...getOwner(),
    cwd: folder,
    detached: true,
    env: { PATH: process.env.PATH ?? '', LC_ALL: 'C' },
  };
}

/** Makes the user of the servers the owner of a file or folder. */
export function giveToOwner(path: string): void {
  const { uid, gid } = getOwner();
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

/** Writes a file that the server may rewrite and remove. */
export function writeOwned(path: string, text: string): void {
  writeFileSync(path, text);
  giveToOwner(path);
}

/** Runs a command as the user of the servers; throws with its stderr if it fails. */
export async function runAsOwner(
  folder: string,
  command: string,
  args: readonly string[],
): Promise<void> {
  const child = spawn(command, args, {
    ...getSpawnOptions(folder),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errorOutput = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errorOutput += text;
  });
  const status = await new Promise((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  if (status !== 0) throw new Error(`${command} failed: ${errorOutput}`);
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
