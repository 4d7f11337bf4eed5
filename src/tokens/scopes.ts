import { PUBLIC_SCOPE } from '../catalogue/model/dataset.ts';

/** The stored form of every scope, those of later declarations too. */
export const EVERY_SCOPE = ['*'] as const;

class EveryScope extends Set<string> {
  override has(): boolean {
    return true;
  }
}

/** What a token may read, of its stored scopes. */
export function createScopes(stored: readonly string[]): ReadonlySet<string> {
  return stored.includes(EVERY_SCOPE[0])
    ? new EveryScope(EVERY_SCOPE)
    : new Set([...stored, PUBLIC_SCOPE]);
}

/** Stored scopes for people. */
export function formatScopes(stored: readonly string[], separator: string): string {
  return stored.includes(EVERY_SCOPE[0]) ? 'everything' : stored.join(separator);
}
