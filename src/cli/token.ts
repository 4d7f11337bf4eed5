import { isDay } from '../calendar.ts';
import { SCOPES } from '../catalogue/dataset.ts';
import type { StoredToken, TokenStore } from '../store/index.ts';
import type { Issued } from '../tokens/issue.ts';
import { isLive, issue, rotate } from '../tokens/issue.ts';
import { RATE_RULE, readRate } from '../tokens/rate.ts';
import { durationMs } from '../tokens/time.ts';
import type { Call, Command } from './command.ts';
import { print, Refused, WrongUse } from './command.ts';
import { columns } from './publishing.ts';
import { opened, patience, waitingTokens } from './waiting.ts';

const json = { json: { help: 'As JSON' } };

export const tokenCreate: Command = {
  usage: 'token create --name NAME [--scopes LIST] [--expires WHEN] [--rate RATE] [--json]',
  summary: 'Make a token and show it, this once',
  options: {
    name: { value: 'NAME', help: 'Who or what it is for' },
    scopes: { value: 'LIST', help: `What it may read, of ${SCOPES.join(',')} (default: all)` },
    expires: { value: 'WHEN', help: 'After so long (90d, 12h, 30min) or on a day (2027-01-31)' },
    rate: { value: 'RATE', help: 'Its own rate, such as 5/min; off for none' },
    ...json,
  },
  async run(call) {
    const { name } = call.options;
    if (typeof name !== 'string' || name.trim() === '' || /\p{Cc}/u.test(name)) {
      throw new WrongUse('--name is needed: text without control characters');
    }
    const terms = {
      name,
      scopes: scopesOf(call.options.scopes),
      rate: rateOf(call.options.rate),
      expiresAt: expiryOf(call.options.expires),
    };
    await withTokens(call, async (store) => show(await issue(store, terms), call));
  },
};

export const tokenList: Command = {
  usage: 'token list [--json]',
  summary: 'Show every token: name, scopes, state, last use; never the token itself',
  options: json,
  async run(call) {
    const tokens = await withTokens(call, (store) => store.all());
    const shown = tokens.map(({ digest: _, ...token }) => ({ ...token, state: stateOf(token) }));
    if (call.options.json) return print(JSON.stringify(shown, null, 2));
    if (shown.length === 0) return print('There are no tokens yet: tenor token create');
    const rows = shown.map((token) => [
      token.id,
      token.name,
      token.state,
      token.scopes.join(','),
      token.rate ?? 'default',
      token.expiresAt ?? 'never',
      token.lastUsedAt ?? 'never',
    ]);
    print(columns([['id', 'name', 'state', 'scopes', 'rate', 'expires', 'last use'], ...rows]));
  },
};

export const tokenRevoke: Command = {
  usage: 'token revoke ID [--json]',
  words: 1,
  summary: 'Stop a token; running servers refuse it within seconds',
  options: json,
  async run(call) {
    await withTokens(call, async (store) => {
      const token = await live(store, call);
      await store.end(token.id, { revokedAt: new Date().toISOString() });
      const said = `Revoked ${token.id} (${token.name}).`;
      print(call.options.json ? JSON.stringify({ id: token.id, state: 'revoked' }) : said);
    });
  },
};

export const tokenRotate: Command = {
  usage: 'token rotate ID [--grace TIME] [--json]',
  words: 1,
  summary: 'Make a new token on the same terms, and stop the old one',
  options: {
    grace: { value: 'TIME', help: 'How long the old one still works (12h, 30min; default: not)' },
    ...json,
  },
  async run(call) {
    const { grace } = call.options;
    const graceMs = typeof grace === 'string' ? durationMs(grace) : 0;
    if (graceMs === undefined) throw new WrongUse(`--grace must be a time such as 12h`);
    await withTokens(call, async (store) => {
      show(await rotate(store, await live(store, call), graceMs), call);
    });
  },
};

async function withTokens<T>(call: Call, work: (store: TokenStore) => Promise<T>): Promise<T> {
  const how = patience();
  const tokens = waitingTokens(await opened(call.settings(), how), how);
  try {
    return await work(tokens);
  } finally {
    tokens.close();
  }
}

/** The token that the call names by its id, if it can still be stopped. */
async function live(store: TokenStore, { words }: Call): Promise<StoredToken> {
  const [id] = words;
  if (id === undefined) throw new WrongUse('the ID of a token is needed');
  const token = (await store.all()).find((known) => known.id === id);
  if (!token) throw new Refused(`there is no token ${id}; tenor token list shows them`);
  if (!isLive(token)) throw new Refused(`token ${id} is ${stateOf(token)} already`);
  return token;
}

function show({ token: { digest: _, ...token }, secret }: Issued, { options }: Call): void {
  if (options.json) {
    print(JSON.stringify({ ...token, token: secret }, null, 2));
    return;
  }
  const until = token.expiresAt ? `, until ${token.expiresAt}` : '';
  print(`${secret}\n\n${token.id} (${token.name}) may read ${token.scopes.join(', ')}${until}.`);
  print('Keep it now: it is not shown again. Running servers know it within a second or two.');
}

function stateOf(token: Pick<StoredToken, 'revokedAt' | 'expiresAt'>): string {
  if (token.revokedAt !== null) return 'revoked';
  return isLive(token) ? 'live' : 'expired';
}

function scopesOf(option: Call['options'][string]): readonly string[] {
  if (typeof option !== 'string') return SCOPES;
  const scopes = [...new Set(option.split(','))];
  const wrong = scopes.find((scope) => !(SCOPES as readonly string[]).includes(scope));
  if (wrong === undefined) return scopes;
  throw new WrongUse(`--scopes must be of ${SCOPES.join(', ')}, not "${wrong}"`);
}

function rateOf(option: Call['options'][string]): string | null {
  if (typeof option !== 'string') return null;
  if (readRate(option) === undefined) throw new WrongUse(`--rate must be ${RATE_RULE}`);
  return option;
}

function expiryOf(option: Call['options'][string]): string | null {
  if (typeof option !== 'string') return null;
  const ms = durationMs(option);
  const at = isDay(option) ? Date.parse(option) : ms === undefined ? Number.NaN : Date.now() + ms;
  if (at > Date.now()) return new Date(at).toISOString();
  throw new WrongUse('--expires must be a time such as 90d, 12h, 30min, or a day to come');
}
