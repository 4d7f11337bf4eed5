import {
  InvalidFileError,
  type NamedFile,
  type SpooledFile,
  spoolToFile,
} from '../formats/read-contents.ts';
import { CommandError, UsageError } from './command.ts';
import { printNote } from './output.ts';

/** Runs a callback with files on disk; standard input is written to a temporary file first. */
export async function withInputFiles<T>(
  names: readonly string[],
  signal: AbortSignal,
  callback: (files: readonly NamedFile[]) => Promise<T>,
): Promise<T> {
  if (names.filter((name) => name === '-').length > 1)
    throw new UsageError('- means standard input, which can be read only once');
  const spooled = names.includes('-') ? await spoolStandardInput(signal) : undefined;
  const toFile = (name: string) =>
    name === '-' && spooled ? { path: spooled.path, name: STANDARD_INPUT } : { path: name, name };
  try {
    return await callback(names.map(toFile));
  } finally {
    spooled?.close();
  }
}

const STANDARD_INPUT = 'standard input';

async function spoolStandardInput(signal: AbortSignal): Promise<SpooledFile> {
  if (process.stdin.isTTY)
    printNote('reading from the terminal; end with Ctrl-D on a line of its own');
  try {
    return await spoolToFile(Bun.stdin.stream(), { signal });
  } catch (cause) {
    if (!(cause instanceof InvalidFileError)) throw cause;
    throw new CommandError(`${STANDARD_INPUT} ${cause.message}`);
  }
}
