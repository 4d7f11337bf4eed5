import { lstatSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Creates a folder for temporary files, named after this process. Those of processes that were killed
 * are removed.
 */
export function createTemporaryFolder(): string {
  const prefix = `tenor-${getPidNamespace()}-`;
  removeAbandonedFolders(prefix);
  return mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
}

/** Numbers of processes mean nothing in another container, which may share the folder. */
function getPidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '');
  } catch {
    return '0';
  }
}

function removeAbandonedFolders(prefix: string): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(prefix) && Number.parseInt(name.slice(prefix.length), 10);
    if (!pid || isRunning(pid)) continue;
    const path = join(tmpdir(), name);
    try {
      if (lstatSync(path).uid === process.getuid?.()) rmSync(path, { recursive: true });
    } catch {
      // Another process removes it at the same time.
    }
  }
}

/** Whether there is a process of this number, of whatever user. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
