import { readFileSync } from 'node:fs';

/** The signals that stop a server. A closed terminal is one of them, unless nohup says otherwise. */
export function listStopSignals(): NodeJS.Signals[] {
  return isHangupDeadly() ? ['SIGINT', 'SIGTERM', 'SIGHUP'] : ['SIGINT', 'SIGTERM'];
}

/** Whether SIGHUP is not ignored; a handler would undo what nohup has set. */
function isHangupDeadly(): boolean {
  try {
    const ignored = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    return ignored !== undefined && (BigInt(`0x${ignored}`) & 1n) === 0n;
  } catch {
    // Not Linux: the system ends the process, or nohup keeps it.
    return false;
  }
}
