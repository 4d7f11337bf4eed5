import { randomBytes } from 'node:crypto';
import { lstatSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/**
 * The path of a temporary file or folder, named after this process. Removes those of the same kind that
 * killed processes left there, and those of other machines and containers beyond a maximum age.
 */
export function createTemporaryPath(folder: string, kind: string, maxForeignAgeMs: number): string {
  // Process ids mean nothing to another container or machine, which may share the folder.
  const prefix = `${kind}-${hostname()}-${getPidNamespace()}-`;
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${kind}-`)) continue;
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : 0;
    const path = join(folder, name);
    try {
      const { uid, mtimeMs } = lstatSync(path);
      const isUsed = pid ? isRunning(pid, mtimeMs) : Date.now() - mtimeMs < maxForeignAgeMs;
      if (!isUsed && uid === process.getuid?.()) rmSync(path, { recursive: true });
    } catch {
      // Another process is removing it too, or the folder is write-protected.
    }
  }
  return join(folder, `${prefix}${process.pid}-${randomBytes(4).toString('hex')}`);
}

function getPidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '');
  } catch {
    return '0';
  }
}

/** Whether a process with this id runs, as any user, and may have written at an instant. */
function isRunning(pid: number, writtenMs: number): boolean {
  // An earlier process may have had the same id.
  if (pid === process.pid) return writtenMs >= STARTED_MS;
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** A second earlier, for file systems that count in whole seconds; a thread only knows its own start. */
const STARTED_MS = Bun.isMainThread ? Date.now() - process.uptime() * 1_000 - 1_000 : 0;
