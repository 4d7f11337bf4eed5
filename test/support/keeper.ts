import { spawnSync } from 'node:child_process';
import { openSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Starts a shell that runs a script, which reads lines from this process until this process has
 * exited, however that happens; returns the file to write them to. The folder is its `$1`.
 *
 * `bun test` runs no exit handlers, and nothing runs after a SIGKILL. But when this process exits its
 * pipes are closed, so a shell that reads from one can clean up. It must not be a child: `bun test`
 * kills all its children when a test times out.
 */
export function startKeeper(folder: string, script: string): number {
  // Opened before the shell is, which waits for a writer, and would wait for ever if there were none.
  const path = join(folder, 'alive');
  runShell('mkfifo "$1"', path);
  const file = openSync(path, 'r+');
  runShell(`exec 3<"$1/alive"; (${script}) <&3 >/dev/null 2>&1 &`, folder);
  return file;
}

function runShell(script: string, argument: string): void {
  // Detached: a Ctrl-C in the terminal must not reach it.
  const options = { cwd: '/', detached: true, encoding: 'utf8' } as const;
  const { status, stderr } = spawnSync('sh', ['-c', script, 'keeper', argument], options);
  if (status !== 0) throw new Error(`the clean-up of ${argument} cannot be started: ${stderr}`);
}
