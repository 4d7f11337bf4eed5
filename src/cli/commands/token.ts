import { isDay } from '../../calendar.ts';
import { SCOPES } from '../../catalogue/model/dataset.ts';
import { parseDuration } from '../../duration.ts';
import { parseRate, RATE_REQUIREMENT } from '../../rate.ts';
import type { StoredToken, TokenStore } from '../../store/open-store.ts';
import type { IssuedToken } from '../../tokens/issue-token.ts';
import { isActive, issueToken, rotateToken } from '../../tokens/issue-token.ts';
import type { Command, CommandCall } from '../command.ts';
import { CommandError, printLine, UsageError } from '../command.ts';
import { createLockWaitOptions, openConfiguredStore, openTokenStore } from '../open-store.ts';
import { formatColumns } from '../publishing.ts';

const JSON_OPTION = { json: { help: 'As JSON' } };

export const tokenCreateCommand: Command = {
  usage: 'token create --name NAME [--scopes LIST] [--expires WHEN] [--rate RATE] [--json]',
  summary: 'Make a token and show it, this once',
  options: {
    name: { placeholder: 'NAME', help: 'Who or what it is for' },
    scopes: {
      placeholder: 'LIST',
      help: `What it may read, of ${SCOPES.join(',')} (default: all)`,
    },
    expires: {
      placeholder: 'WHEN',
      help: 'After so long (90d, 12h, 30min) or on a day (2027-01-31)',
    },
    rate: { placeholder: 'RATE', help: 'Its own rate, such as 5/min; off for none' },
    ...JSON_OPTION,
  },
  async run(call) {
    const { name } = call.options;
    if (typeof name !== 'string' || name.trim() === '' || /\p{Cc}/u.test(name)) {
      throw new UsageError('--name is needed: text without control characters');
    }
    const terms = {
      name,
      scopes: parseScopes(call.options.scopes),
      rate: parseRateOption(call.options.rate),
      expiresAt: parseExpiry(call.options.expires),
    };
    await withTokenStore(call, async (store) => printToken(await issueToken(store, terms), call));
  },
};

export const tokenListCommand: Command = {
  usage: 'token list [--json]',
  summary: 'Show every token: name, scopes, state, last use; never the token itself',
  options: JSON_OPTION,
  async run(call) {
    const tokens = await withTokenStore(call, (store) => store.all());
    const shown = tokens.map(({ digest: _, ...token }) => ({
      ...token,
      state: getTokenState(token),
    }));
    if (call.options.json) return printLine(JSON.stringify(shown, null, 2));
    if (shown.length === 0) return printLine('There are no tokens yet: tenor token create');
    const rows = shown.map((token) => [
      token.id,
      token.name,
      token.state,
      token.scopes.join(','),
      token.rate ?? 'default',
      token.expiresAt ?? 'never',
      token.lastUsedAt ?? 'never',
    ]);
    printLine(
      formatColumns([['id', 'name', 'state', 'scopes', 'rate', 'expires', 'last use'], ...rows]),
    );
  },
};

export const tokenRevokeCommand: Command = {
  usage: 'token revoke ID [--json]',
  maxArguments: 1,
  summary: 'Stop a token; running servers refuse it within seconds',
  options: JSON_OPTION,
  async run(call) {
    await withTokenStore(call, async (store) => {
      const token = await findActiveToken(store, call);
      await store.setEnd(token.id, { revokedAt: new Date().toISOString() });
      const said = `Revoked ${token.id} (${token.name}).`;
      printLine(call.options.json ? JSON.stringify({ id: token.id, state: 'revoked' }) : said);
    });
  },
};

export const tokenRotateCommand: Command = {
  usage: 'token rotate ID [--grace TIME] [--json]',
  maxArguments: 1,
  summary: 'Make a new token on the same terms, and stop the old one',
  options: {
    grace: {
      placeholder: 'TIME',
      help: 'How long the old one still works (12h, 30min; default: not)',
    },
    ...JSON_OPTION,
  },
  async run(call) {
    const { grace } = call.options;
    const graceMs = typeof grace === 'string' ? parseDuration(grace) : 0;
    if (graceMs === undefined) throw new UsageError(`--grace must be a time such as 12h`);
    await withTokenStore(call, async (store) => {
      printToken(await rotateToken(store, await findActiveToken(store, call), graceMs), call);
    });
  },
};

async function withTokenStore<T>(
  call: CommandCall,
  callback: (store: TokenStore) => Promise<T>,
): Promise<T> {
  const lockWait = createLockWaitOptions();
  const tokens = openTokenStore(await openConfiguredStore(call.settings(), lockWait), lockWait);
  try {
    return await callback(tokens);
  } finally {
    tokens.close();
  }
}

/** The token that the call names by its id, if it can still be stopped. */
async function findActiveToken(
  store: TokenStore,
  { positionals }: CommandCall,
): Promise<StoredToken> {
  const [id] = positionals;
  if (id === undefined) throw new UsageError('the ID of a token is needed');
  const token = (await store.all()).find((known) => known.id === id);
  if (!token) throw new CommandError(`there is no token ${id}; tenor token list shows them`);
  if (!isActive(token)) throw new CommandError(`token ${id} is ${getTokenState(token)} already`);
  return token;
}

function printToken(
  { token: { digest: _, ...token }, secret }: IssuedToken,
  { options }: CommandCall,
): void {
  if (options.json) {
    printLine(JSON.stringify({ ...token, token: secret }, null, 2));
    return;
  }
  const until = token.expiresAt ? `, until ${token.expiresAt}` : '';
  printLine(
    `${secret}\n\n${token.id} (${token.name}) may read ${token.scopes.join(', ')}${until}.`,
  );
  printLine('Keep it now: it is not shown again. Running servers know it within a second or two.');
}

function getTokenState(token: Pick<StoredToken, 'revokedAt' | 'expiresAt'>): string {
  if (token.revokedAt !== null) return 'revoked';
  return isActive(token) ? 'live' : 'expired';
}

function parseScopes(option: CommandCall['options'][string]): readonly string[] {
  if (typeof option !== 'string') return SCOPES;
  const scopes = [...new Set(option.split(','))];
  const wrong = scopes.find((scope) => !(SCOPES as readonly string[]).includes(scope));
  if (wrong === undefined) return scopes;
  throw new UsageError(`--scopes must be of ${SCOPES.join(', ')}, not "${wrong}"`);
}

function parseRateOption(option: CommandCall['options'][string]): string | null {
  if (typeof option !== 'string') return null;
  if (parseRate(option) === undefined) throw new UsageError(`--rate must be ${RATE_REQUIREMENT}`);
  return option;
}

function parseExpiry(option: CommandCall['options'][string]): string | null {
  if (typeof option !== 'string') return null;
  const ms = parseDuration(option);
  const at = isDay(option) ? Date.parse(option) : ms === undefined ? Number.NaN : Date.now() + ms;
  if (at > Date.now()) return new Date(at).toISOString();
  throw new UsageError('--expires must be a time such as 90d, 12h, 30min, or a day to come');
}
