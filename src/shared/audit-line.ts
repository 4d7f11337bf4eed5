/** The place of a line of the audit log among those of one process start. */
export interface AuditPlace {
  readonly chain: string;
  /** From 1 on, whatever the files. */
  readonly number: number;
  /**
   * The digest of the line before it: of the chain, or if there is none, of the file that the process
   * has found; null for a new file.
   */
  readonly previous: string | null;
}

/** SHA-256 of a line without its line end, in hex. */
export function digestAuditLine(line: string | Uint8Array): string {
  return Bun.SHA256.hash(line, 'hex');
}

/** The beginning of each line. */
export const AUDIT_LINE_START = '{"time":"';

/** The first line of a process in a file, and the last one of a process that was stopped. */
export const OPENED_EVENT = 'opened';
export const CLOSED_EVENT = 'closed';
