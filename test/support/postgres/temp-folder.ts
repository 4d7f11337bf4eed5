import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { giveToOwner } from './run-as-owner.ts';

/** A temporary folder that is removed, and its server ended, when this process is no more. */
export interface ServerFolder {
  readonly path: string;
  /** Says which process lives in the folder now, or that none does. */
  setServerPid(pid: number | undefined): void;
  /** Removes the folder now. Whoever lived in it must have been ended. */
  remove(): Promise<void>;
}

// `bun test` runs no exit handlers, and nothing runs after a SIGKILL. But whatever ends this
// process closes what it has open, and a shell that reads from it can do what is left to do.
// Nor may it be a child: when a test takes too long, `bun test` kills all children there are.
const CLEANUP_SCRIPT = `
mkfifo "$1/alive" || exit
(
  while read -r line; do pid=$line; done
  if [ -n "$pid" ] && kill -QUIT "$pid" && kill -CONT "$pid"; then
    tries=0
    while [ -e "$1/data/postmaster.pid" ] && [ "$tries" -lt 200 ]; do
      sleep 0.05
      tries=$((tries + 1))
    done
    [ "$tries" -lt 200 ] || kill -KILL "$pid"
  fi
  rm -rf -- "$1"
) >/dev/null 2>&1 <"$1/alive" &
`;

/** Makes a folder that the servers' user owns. */
export function createServerFolder(): ServerFolder {
  const path = mkdtempSync(join(tmpdir(), 'tenor-postgres-'));
  giveToOwner(path);
  // Detached: a Ctrl-C in the terminal must not reach it.
  const options = { cwd: '/', detached: true, encoding: 'utf8' } as const;
  const { status, stderr } = spawnSync('sh', ['-c', CLEANUP_SCRIPT, 'keeper', path], options);
  if (status !== 0) throw new Error(`nothing can watch over ${path}: ${stderr}`);
  let alive: number | undefined = openSync(join(path, 'alive'), 'w');
  return {
    path,
    setServerPid(pid) {
      if (alive !== undefined) writeSync(alive, `${pid ?? ''}\n`);
    },
    async remove() {
      if (alive !== undefined) closeSync(alive);
      alive = undefined;
      while (existsSync(path)) await Bun.sleep(5);
    },
  };
}
