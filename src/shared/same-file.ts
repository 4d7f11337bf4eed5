import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Whether two paths lead to the same file, through any links. */
export function isSameFile(one: string, other: string): boolean {
  if (findLocation(one) === findLocation(other)) return true;
  const [first, second] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return first !== undefined && first.dev === second?.dev && first.ino === second.ino;
}

/** The path with all links resolved; the file need not exist yet. */
export function findLocation(path: string): string {
  const find = (existing: string) => {
    try {
      return realpathSync(existing);
    } catch {
      return undefined;
    }
  };
  return find(path) ?? join(find(dirname(path)) ?? resolve(dirname(path)), basename(path));
}
