import { isSameFile } from './same-file.ts';

/** The first argument of a worker; no command of users. */
export const WORKER_ARGUMENT = 'worker';
/** The first argument of the process of an adapter in the executable; no command of users. */
export const ADAPTER_ARGUMENT = 'adapter';

/** The executable of this process on Linux, even if its file was replaced or removed. */
const RUNNING_EXECUTABLE = '/proc/self/exe';

/** The command that starts this program again in the same version. */
export function getOwnCommand(): string[] {
  if (!Bun.isStandaloneExecutable) return [process.execPath, ...process.execArgv, Bun.main];
  // By its path where it can be, because a process is listed by the name of its file.
  return [isSameFile(process.execPath, RUNNING_EXECUTABLE) ? process.execPath : RUNNING_EXECUTABLE];
}
