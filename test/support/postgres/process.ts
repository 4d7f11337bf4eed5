import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { getSpawnOptions } from './run-as-owner.ts';

/**
 * Starts a program that is no child of this process, since `bun test` kills its children when a
 * test times out. Its output is appended to `log` in its folder.
 */
export function launch(folder: string, program: string, args: readonly string[]): number {
  const script = '"$@" >>log 2>&1 </dev/null & echo $!';
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script, 'sh', program, ...args], {
    ...getSpawnOptions(folder),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${program} cannot be started: ${stderr}`);
  return Number(stdout);
}

/** Whether a process runs or is paused. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    // In a container there may be no process that reaps zombies.
    return !/\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return process.platform !== 'linux';
  }
}

/** Pauses a process and its children. */
export async function freeze(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  const frozen = new Set<number>();
  // A child that was being forked meanwhile appears a moment later.
  for (let before = -1; before < frozen.size; await Bun.sleep(10)) {
    before = frozen.size;
    for (const child of findChildren(pid)) {
      if (!frozen.has(child)) signal(child, 'SIGSTOP');
      frozen.add(child);
    }
  }
}

/** Resumes a frozen process and its children. */
export function thaw(pid: number): void {
  for (const child of findChildren(pid)) signal(child, 'SIGCONT');
  signal(pid, 'SIGCONT');
}

/** Sends a signal, unless the process has exited. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ESRCH') throw cause;
  }
}

/** The running children of a process. */
export function findChildren(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return children.split(' ').filter(Boolean).map(Number);
  } catch {
    const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=', '-o', 'ppid='], { encoding: 'utf8' });
    const pairs = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
    return pairs.flatMap(([child, parent]) => (child && parent === pid ? [child] : []));
  }
}
