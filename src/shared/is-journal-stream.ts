import { fstatSync } from 'node:fs';

/**
 * Whether a file descriptor is connected to the systemd journal. `JOURNAL_STREAM` gives its device and inode,
 * and is also inherited by processes whose output goes elsewhere.
 */
export function isJournalStream(fd: number, { JOURNAL_STREAM } = process.env): boolean {
  if (!JOURNAL_STREAM) return false;
  const { dev, ino } = fstatSync(fd, { bigint: true });
  return JOURNAL_STREAM === `${dev}:${ino}`;
}
