import { isOutputAwaited, printNote } from './output.ts';
import { runCommandLine } from './run-command-line.ts';

process.stdout.on('error', (cause: NodeJS.ErrnoException) => {
  if (isOutputAwaited()) return;
  // A reader such as head may close the pipe early; any other error truncates the output.
  if (cause.code === 'EPIPE') process.exit(0);
  printNote(`cannot write to standard output: ${cause.message}`);
  process.exit(1);
});
// What it would have said is lost; the exit status still tells what happened.
process.stderr.on('error', () => {});
process.exitCode = await runCommandLine(process.argv.slice(2));
