import { isSameFile } from './same-file.ts';

/** The first argument of a worker process; not a command for users. */
export const WORKER_ARGUMENT = 'worker';
/** The first argument of the adapter process in the executable; not a command for users. */
export const ADAPTER_ARGUMENT = 'adapter';

/** The executable of this process on Linux, which works even if the file was replaced or removed. */
const RUNNING_EXECUTABLE = '/proc/self/exe';

/** The command that starts the same version of this program again. */
export function getOwnCommand(): string[] {
  if (!Bun.isStandaloneExecutable) return [process.execPath, ...process.execArgv, Bun.main];
  // By its path if possible, because processes are listed by the name of their file.
  return [isSameFile(process.execPath, RUNNING_EXECUTABLE) ? process.execPath : RUNNING_EXECUTABLE];
}
