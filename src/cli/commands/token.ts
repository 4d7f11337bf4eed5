import { isDay } from '../../calendar.ts';
import { SCOPES } from '../../catalogue/model/dataset.ts';
import { findControlCharacter } from '../../control-characters.ts';
import { parseDuration } from '../../duration.ts';
import { parseRate, RATE_REQUIREMENT } from '../../request-rate.ts';
import type { StoredToken, TokenStore } from '../../store/open-store.ts';
import { type IssuedToken, isActive, issueToken, rotateToken } from '../../tokens/issue-token.ts';
import { type Command, type CommandCall, CommandError, UsageError } from '../command.ts';
import { formatColumns } from '../format.ts';
import { printJson, printLine, printStyled } from '../output.ts';
import { openConfiguredStore, withTokenStore } from '../with-store.ts';

const JSON_OPTION = { json: { help: 'As JSON' } };
const EXPIRES_OPTION = {
  placeholder: 'WHEN',
  help: 'Lifetime (90d, 12h, 30min) or expiry date (2027-01-31)',
};

export const tokenCreateCommand: Command = {
  usage: 'token create --name NAME [--scopes LIST] [--expires WHEN] [--rate RATE] [--json]',
  summary: 'Create a token; it is shown only once',
  options: {
    name: { placeholder: 'NAME', help: 'Who or what uses the token' },
    scopes: {
      placeholder: 'LIST',
      help: `What it may read: some of ${SCOPES.join(',')} (default: all)`,
    },
    expires: EXPIRES_OPTION,
    rate: { placeholder: 'RATE', help: 'Its own rate limit, such as 5/min; off for none' },
    ...JSON_OPTION,
  },
  async run(call) {
    const { name } = call.options;
    if (typeof name !== 'string' || name.trim() === '' || findControlCharacter(name)) {
      throw new UsageError('--name is required: text without control characters');
    }
    const attributes = {
      name,
      scopes: parseScopes(call.options.scopes),
      rate: parseRateOption(call.options.rate),
      expiresAt: parseExpiry(call.options.expires),
    };
    await withTokens(call, async (store) => printToken(await issueToken(store, attributes), call));
  },
};

export const tokenListCommand: Command = {
  usage: 'token list [--json]',
  summary: 'Show every token: name, scopes, state, last use; never the token itself',
  options: JSON_OPTION,
  async run(call) {
    const tokens = await withTokens(call, (store) => store.all());
    const entries = tokens.map(({ digest: _, ...token }) => ({
      ...token,
      state: getTokenState(token),
    }));
    if (call.options.json) return printJson(entries);
    if (entries.length === 0) return printLine('No tokens yet. Use tenor token create.');
    const rows = entries.map((token) => [
      token.id,
      token.name,
      token.state,
      token.scopes.join(','),
      token.rate ?? 'default',
      token.expiresAt ?? 'never',
      token.lastUsedAt ?? 'never',
    ]);
    printStyled(
      formatColumns([['id', 'name', 'state', 'scopes', 'rate', 'expires', 'last use'], ...rows]),
    );
  },
};

export const tokenRevokeCommand: Command = {
  usage: 'token revoke ID [--json]',
  maxArguments: 1,
  summary: 'Revoke a token; running servers reject it within seconds',
  options: JSON_OPTION,
  async run(call) {
    await withTokens(call, async (store) => {
      const token = await findActiveToken(store, call);
      await store.setEnd(token.id, { revokedAt: new Date().toISOString() });
      const { id, name } = token;
      const json = JSON.stringify({ id, state: 'revoked' });
      printLine(call.options.json ? json : `Revoked ${id} (${name}).`);
    });
  },
};

export const tokenRotateCommand: Command = {
  usage: 'token rotate ID [--expires WHEN] [--grace TIME] [--json]',
  maxArguments: 1,
  summary: 'Replace a token by a new one with the same scopes, rate and lifetime',
  options: {
    expires: {
      ...EXPIRES_OPTION,
      help: `${EXPIRES_OPTION.help}; default: as long from now as the old token was issued for`,
    },
    grace: {
      placeholder: 'TIME',
      help: 'How long the old token stays valid (12h, 30min; default: revoked at once)',
    },
    ...JSON_OPTION,
  },
  async run(call) {
    const { grace, expires } = call.options;
    const graceMs = typeof grace === 'string' ? parseDuration(grace) : 0;
    if (graceMs === undefined) throw new UsageError(`--grace must be a time such as 12h`);
    const expiresAt = expires === undefined ? undefined : parseExpiry(expires);
    await withTokens(call, async (store) => {
      const old = await findActiveToken(store, call);
      printToken(await rotateToken(store, old, { graceMs, expiresAt }), call);
    });
  },
};

async function withTokens<T>(
  call: CommandCall,
  callback: (store: TokenStore) => Promise<T>,
): Promise<T> {
  const store = await openConfiguredStore(call.settings(), { preparation: 'none' });
  return withTokenStore(store, callback);
}

/** The token with the id of the call, which must still be valid. */
async function findActiveToken(
  store: TokenStore,
  { positionals }: CommandCall,
): Promise<StoredToken> {
  const [id] = positionals;
  if (id === undefined) throw new UsageError('the ID of a token is required');
  const token = (await store.all()).find((candidate) => candidate.id === id);
  if (!token) throw new CommandError(`there is no token ${id}; tenor token list shows all`);
  if (!isActive(token)) throw new CommandError(`token ${id} is ${getTokenState(token)} already`);
  return token;
}

function printToken(
  { token: { digest: _, ...token }, secret }: IssuedToken,
  { options }: CommandCall,
): void {
  if (options.json) {
    printJson({ ...token, token: secret });
    return;
  }
  const until = token.expiresAt ? `, until ${token.expiresAt}` : '';
  printLine(
    `${secret}\n\n${token.id} (${token.name}) may read ${token.scopes.join(', ')}${until}.`,
  );
  printLine('Save it now: it is not shown again. Running servers accept it within two seconds.');
}

function getTokenState(token: Pick<StoredToken, 'revokedAt' | 'expiresAt'>): string {
  if (token.revokedAt !== null) return 'revoked';
  return isActive(token) ? 'live' : 'expired';
}

function parseScopes(option: CommandCall['options'][string]): readonly string[] {
  if (typeof option !== 'string') return SCOPES;
  const scopes = [...new Set(option.split(','))];
  const unknown = scopes.find((scope) => !(SCOPES as readonly string[]).includes(scope));
  if (unknown === undefined) return scopes;
  throw new UsageError(`--scopes must be some of ${SCOPES.join(', ')}, not "${unknown}"`);
}

function parseRateOption(option: CommandCall['options'][string]): string | null {
  if (typeof option !== 'string') return null;
  if (parseRate(option) === undefined) throw new UsageError(`--rate must be ${RATE_REQUIREMENT}`);
  return option;
}

function parseExpiry(option: CommandCall['options'][string]): string | null {
  if (typeof option !== 'string') return null;
  const lifetimeMs = parseDuration(option) ?? Number.NaN;
  const expiryMs = isDay(option) ? Date.parse(option) : Date.now() + lifetimeMs;
  if (expiryMs > Date.now()) return new Date(expiryMs).toISOString();
  throw new UsageError('--expires must be a time such as 90d, 12h, 30min, or a future day');
}
