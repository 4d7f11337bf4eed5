import { isDay } from '../shared/calendar.ts';
import { findControlCharacter } from '../shared/control-characters.ts';
import { parseDuration } from '../shared/duration.ts';
import { parseRate, RATE_REQUIREMENT } from '../shared/request-rate.ts';
import type { StoredToken, TokenStore } from '../store/open-store.ts';
import { isActive } from '../tokens/issue-token.ts';
import { type CommandCall, CommandError, UsageError } from './command.ts';
import { printLine } from './output.ts';
import { openConfiguredStore, withTokenStore } from './with-store.ts';

/** The options that tokens and links share. */
export const EXPIRES_OPTION = {
  placeholder: 'WHEN',
  help: 'Lifetime (90d, 12h, 30min) or expiry date (2027-01-31)',
};
export const RATE_OPTION = {
  placeholder: 'RATE',
  help: 'Its own rate limit, such as 5/min; off for none',
};

type OptionValue = CommandCall['options'][string];

export function parseName(option: OptionValue): string {
  if (typeof option === 'string' && option.trim() !== '' && !findControlCharacter(option))
    return option;
  throw new UsageError('--name is required: text without control characters');
}

export function parseRateOption(option: OptionValue): string | null {
  if (typeof option !== 'string') return null;
  if (parseRate(option) === undefined) throw new UsageError(`--rate must be ${RATE_REQUIREMENT}`);
  return option;
}

export function parseExpiry(option: OptionValue): string | null {
  if (typeof option !== 'string') return null;
  const lifetimeMs = parseDuration(option) ?? Number.NaN;
  const expiryMs = isDay(option) ? Date.parse(option) : Date.now() + lifetimeMs;
  if (expiryMs > Date.now()) return new Date(expiryMs).toISOString();
  throw new UsageError('--expires must be a time such as 90d, 12h, 30min, or a future day');
}

export async function withTokens<T>(
  call: CommandCall,
  callback: (store: TokenStore) => Promise<T>,
): Promise<T> {
  const store = await openConfiguredStore(call.settings(), { preparation: 'none' });
  return withTokenStore(store, callback);
}

/** Tokens, or links. */
export type TokenKind = 'token' | 'link';

export async function listTokens(store: TokenStore, kind: TokenKind): Promise<StoredToken[]> {
  return (await store.all()).filter(({ target }) => (target !== null) === (kind === 'link'));
}

/** The token or link with the id of the call, which must still be valid. */
export async function findActiveToken(
  store: TokenStore,
  { positionals }: CommandCall,
  kind: TokenKind,
): Promise<StoredToken> {
  const [id] = positionals;
  if (id === undefined) throw new UsageError(`the ID of a ${kind} is required`);
  const token = (await listTokens(store, kind)).find((candidate) => candidate.id === id);
  if (!token) throw new CommandError(`there is no ${kind} ${id}; tenor ${kind} list shows all`);
  if (!isActive(token)) throw new CommandError(`${kind} ${id} is ${getTokenState(token)} already`);
  return token;
}

/** Revokes the token or link with the id of the call. */
export async function revokeToken(call: CommandCall, kind: TokenKind): Promise<void> {
  await withTokens(call, async (store) => {
    const { id, name } = await findActiveToken(store, call, kind);
    await store.setEnd(id, { revokedAt: new Date().toISOString() });
    const json = JSON.stringify({ id, state: 'revoked' });
    printLine(call.options.json ? json : `Revoked ${id} (${name}).`);
  });
}

export function getTokenState(token: Pick<StoredToken, 'revokedAt' | 'expiresAt'>): string {
  if (token.revokedAt !== null) return 'revoked';
  return isActive(token) ? 'live' : 'expired';
}
