import { closeSync, existsSync, mkdtempSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startKeeper } from '../keeper.ts';
import { giveToOwner } from './run-as-owner.ts';

/** A temporary folder that is removed, with its server stopped, when this process has exited. */
export interface ServerFolder {
  readonly path: string;
  /** Sets which server process uses the folder, if any. */
  setServerPid(pid: number | undefined): void;
  /** Removes the folder now. Its server must have exited. */
  remove(): Promise<void>;
}

const CLEANUP_SCRIPT = `
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
`;

/** Creates a folder that the user of the servers owns. */
export function createServerFolder(): ServerFolder {
  const path = mkdtempSync(join(tmpdir(), 'tenor-postgres-'));
  giveToOwner(path);
  let alive: number | undefined = startKeeper(path, CLEANUP_SCRIPT);
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
