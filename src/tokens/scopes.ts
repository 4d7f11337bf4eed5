import { PUBLIC_SCOPE } from '../catalogue/model/dataset.ts';

/** The stored form of every scope, including those of later declarations. */
export const EVERY_SCOPE = ['*'] as const;

class EveryScope extends Set<string> {
  override has(): boolean {
    return true;
  }
}

/** The scopes of a token from their stored form. */
export function createScopes(stored: readonly string[]): ReadonlySet<string> {
  return stored.includes(EVERY_SCOPE[0])
    ? new EveryScope(EVERY_SCOPE)
    : new Set([...stored, PUBLIC_SCOPE]);
}

export function formatScopes(stored: readonly string[], separator: string): string {
  return stored.includes(EVERY_SCOPE[0]) ? 'everything' : stored.join(separator);
}
