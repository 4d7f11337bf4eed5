import { closeSync, openSync, readFileSync } from 'node:fs';
import { isOutputAwaited, printNote } from './output.ts';
import { runCommandLine } from './run-command-line.ts';

if (isStdoutClosed()) {
  // Reopens the same descriptor for a file that cannot be written.
  closeSync(1);
  openSync('/dev/null', 'r');
}
process.stdout.on('error', (cause: NodeJS.ErrnoException) => {
  if (isOutputAwaited()) return;
  // A reader such as head may close the pipe early; any other error truncates the output.
  if (cause.code === 'EPIPE') process.exit(0);
  printNote(`cannot write to standard output: ${cause.message}`);
  process.exit(1);
});
// The message is lost, but the exit status still tells the outcome.
process.stderr.on('error', () => {});
process.exitCode = await runCommandLine(process.argv.slice(2));

/**
 * Bun opens /dev/null in place of a closed descriptor, close-on-exec (02000000), which no inherited file is.
 */
function isStdoutClosed(): boolean {
  try {
    return /^flags:\s*0?[2367]\d{6}$/m.test(readFileSync('/proc/self/fdinfo/1', 'utf8'));
  } catch {
    return false;
  }
}
