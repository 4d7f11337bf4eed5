import { existsSync, readFileSync } from 'node:fs';

const PROCESS_STATUS = '/proc/self/status';

/**
 * The signals that stop a server or a command. That of a closed terminal is included unless nohup has it
 * ignored, which a handler would undo. If that cannot be determined, the system's default applies.
 */
export function listStopSignals(): NodeJS.Signals[] {
  const status = existsSync(PROCESS_STATUS) ? readFileSync(PROCESS_STATUS, 'utf8') : '';
  // The lowest bit of the mask belongs to signal 1.
  const isHandled = /^SigIgn:\s*[0-9a-f]*[02468ace]$/m.test(status);
  return ['SIGINT', 'SIGTERM', ...(isHandled ? (['SIGHUP'] as const) : [])];
}
