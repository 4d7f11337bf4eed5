import { basename, extname } from 'node:path';

/** The name of a copy among others: `tenor-2026-11-16T104300Z-r123.db` for `tenor.db`. */
export function formatBackupName(file: string, instant: Date, revision: number): string {
  const time = `${instant.toISOString().slice(0, 19).replaceAll(':', '')}Z`;
  const { stem, extension } = splitName(file);
  return `${stem}-${time}-r${revision}${extension}`;
}

/** Those of the copies of a file among names, from the oldest to the newest. */
export function listBackupNames(file: string, names: readonly string[]): string[] {
  const { stem, extension } = splitName(file);
  return names
    .filter((name) => name.startsWith(`${stem}-`) && name.endsWith(extension))
    .filter((name) => NUMBERED.test(name.slice(stem.length, name.length - extension.length)))
    .toSorted();
}

/** The newest of the copies of any file among names. */
export function findNewestBackup(names: readonly string[]): string | undefined {
  const copies = names.flatMap((name) => {
    const [, instant = '', revision] = ANY_NUMBERED.exec(name) ?? [];
    return revision === undefined ? [] : [{ name, instant, revision: Number(revision) }];
  });
  copies.sort((a, b) => a.instant.localeCompare(b.instant) || a.revision - b.revision);
  return copies.at(-1)?.name;
}

const NUMBERED = /^-\d{4}-\d\d-\d\dT\d{6}Z-r\d+$/;
const ANY_NUMBERED = /^[^/]+-(\d{4}-\d\d-\d\dT\d{6}Z)-r(\d+)(?:\.\w+)?$/;

function splitName(file: string) {
  const extension = extname(file);
  return { stem: basename(file, extension), extension };
}
