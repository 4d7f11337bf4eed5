import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { giveToOwner } from './run-as-owner.ts';

/** A temporary folder that is removed, with its server stopped, when this process has exited. */
export interface ServerFolder {
  readonly path: string;
  /** Sets which server process uses the folder, if any. */
  setServerPid(pid: number | undefined): void;
  /** Removes the folder now. Its server must have exited. */
  remove(): Promise<void>;
}

// `bun test` runs no exit handlers, and nothing runs after a SIGKILL. But when this process exits
// its pipes are closed, so a shell that reads from one can clean up. It must not be a child:
// `bun test` kills all its children when a test times out.
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
  # The process that writes the log of a server may still add a file.
  until rm -rf -- "$1"; do sleep 0.05; done
) >/dev/null 2>&1 <"$1/alive" &
`;

/** Creates a folder that the user of the servers owns. */
export function createServerFolder(): ServerFolder {
  const path = mkdtempSync(join(tmpdir(), 'tenor-postgres-'));
  giveToOwner(path);
  // Detached: a Ctrl-C in the terminal must not reach it.
  const options = { cwd: '/', detached: true, encoding: 'utf8' } as const;
  const { status, stderr } = spawnSync('sh', ['-c', CLEANUP_SCRIPT, 'keeper', path], options);
  if (status !== 0) throw new Error(`the clean-up of ${path} cannot be started: ${stderr}`);
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
