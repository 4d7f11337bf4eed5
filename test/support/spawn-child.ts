import { mkdtempSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startKeeper } from './keeper.ts';

/** Kills the groups of all processes that were added and not removed. */
const SCRIPT = `
  pids=' '
  while read -r change pid; do
    case $change in
      add) pids="$pids$pid " ;;
      remove) pids="\${pids%% "$pid" *} \${pids#* "$pid" }" ;;
    esac
  done
  for pid in $pids; do kill -s KILL -- "-$pid"; done
  rm -rf -- "$1"
`;

let keeper: number | undefined;

function getKeeper(): number {
  keeper ??= startKeeper(mkdtempSync(join(tmpdir(), 'tenor-keeper-')), SCRIPT);
  return keeper;
}

/**
 * Starts a process that ends with this one, also if a test fails or times out, or the run is killed.
 * It has a process group of its own, of which nothing remains when it has exited.
 */
export const spawnChild = ((
  command: string[],
  options: Bun.Spawn.SpawnOptions<'ignore', 'pipe', 'inherit'> = {},
) => {
  // This process may be killed at any moment.
  getKeeper();
  // A terminal of its own makes a group as well.
  const child = Bun.spawn(command, { ...options, detached: options.terminal === undefined });
  const release = endWithThisProcess(child.pid);
  child.exited.then(() => {
    killGroup(child.pid);
    release();
  });
  return child;
}) as typeof Bun.spawn;

/** Ends a process group with this process, unless it is released: one that no child of it would end. */
export function endWithThisProcess(pid: number): () => void {
  writeSync(getKeeper(), `add ${pid}\n`);
  return () => void writeSync(getKeeper(), `remove ${pid}\n`);
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
