import { isDay } from '../shared/calendar.ts';
import { findControlCharacter } from '../shared/control-characters.ts';
import { parseDuration } from '../shared/duration.ts';
import { parseRate, RATE_REQUIREMENT } from '../shared/request-rate.ts';
import type { StoredToken, TokenStore } from '../store/open-store.ts';
import { type IssuedToken, isActive } from '../tokens/issue-token.ts';
import { isKeysOfSource } from '../tokens/shared-tokens.ts';
import { type Command, type CommandCall, CommandError, UsageError } from './command.ts';
import { formatColumns } from './format.ts';
import {
  explainLostOutput,
  formatJson,
  printJson,
  printLine,
  printOrThrow,
  printOutcome,
  printStyled,
} from './output.ts';
import { closeAfter, openConfiguredStore } from './with-store.ts';

/** The options that tokens and links share. */
export const JSON_OPTION = { json: { help: 'As JSON' } };
export const EXPIRES_OPTION = {
  placeholder: 'WHEN',
  help: 'Lifetime (90d, 12h, 30min) or expiry date (2027-01-31)',
};
export const RATE_OPTION = {
  placeholder: 'RATE',
  help: 'Its own rate limit, such as 5/min; off for none',
};

export function parseIssueOptions({ options }: CommandCall, defaultLifetime?: string) {
  return {
    name: parseName(options.name),
    rate: parseRateOption(options.rate),
    expiresAt: parseExpiry(options.expires ?? defaultLifetime),
  };
}

type OptionValue = CommandCall['options'][string];

function parseName(option: OptionValue): string {
  if (typeof option === 'string' && option.trim() !== '' && !findControlCharacter(option))
    return option;
  throw new UsageError('--name is required: text without control characters');
}

function parseRateOption(option: OptionValue): string | null {
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
  return closeAfter(store.tokens(), callback);
}

type TokenKind = 'token' | 'link';

/** `tenor token list` or `tenor link list`; `column` is specific to each. */
export function createListCommand(
  kind: TokenKind,
  summary: string,
  column: { readonly title: string; readonly format: (token: StoredToken) => string },
): Command {
  return {
    usage: `${kind} list [--json]`,
    summary,
    options: JSON_OPTION,
    async run(call) {
      const tokens = await withTokens(call, (store) => listTokens(store, kind));
      if (call.options.json)
        return printJson(
          tokens.map((token) => ({ ...describeToken(token), state: getTokenState(token) })),
        );
      if (tokens.length === 0) return printLine(`No ${kind}s yet. Use tenor ${kind} create.`);
      const rows = tokens.map((token) => [
        ...[token.id, token.name, getTokenState(token), column.format(token)],
        token.rate ?? 'default',
        token.isLeased ? 'at its source' : (token.expiresAt ?? 'never'),
        token.lastUsedAt ?? 'never',
      ]);
      const titles = ['id', 'name', 'state', column.title, 'rate', 'expires', 'last use'];
      printStyled(formatColumns([titles, ...rows]));
    },
  };
}

export function createRevokeCommand(kind: TokenKind): Command {
  return {
    usage: `${kind} revoke ID [--json]`,
    maxArguments: 1,
    summary: `Revoke a ${kind}; running servers reject it within seconds`,
    options: JSON_OPTION,
    run: (call) =>
      withTokens(call, async (store) => {
        const { id, name } = await findActiveToken(store, call, kind);
        await store.update(id, { revokedAt: new Date().toISOString() });
        const json = JSON.stringify({ id, state: 'revoked' });
        const text = call.options.json ? json : `Revoked ${id} (${name}).`;
        await printOutcome(text, `${id} is revoked`);
      }),
  };
}

/**
 * Prints a new token or link: as JSON, or its secret and two sentences. If it cannot be printed, it is
 * revoked, because its secret is lost or part of it is in a file.
 */
export async function printIssued(
  { options }: CommandCall,
  store: TokenStore,
  { token, secret }: IssuedToken,
  kind: TokenKind,
  sentences: readonly [effect: string, hint: string],
): Promise<void> {
  const text = [
    `${secret}\n\n${token.id} (${token.name}) ${sentences[0]}.`,
    `${sentences[1]}: it is not shown again. Running servers accept it at once.`,
  ].join('\n');
  const json = formatJson({ ...describeToken(token), [kind]: secret });
  try {
    await printOrThrow(options.json ? json : text);
  } catch (cause) {
    await store.update(token.id, { revokedAt: new Date().toISOString() });
    const effect = `${kind} ${token.id} was created and revoked again; nothing else has changed`;
    throw new CommandError(`${effect}, ${explainLostOutput(cause as Error)}`, true);
  }
}

/** A token without its digest, and without the target of a link. */
function describeToken({ digest: _, ...token }: StoredToken) {
  const { target, ...withoutTarget } = token;
  return target === null ? withoutTarget : token;
}

async function listTokens(store: TokenStore, kind: TokenKind): Promise<StoredToken[]> {
  const tokens = (await store.all()).filter((token) => !isKeysOfSource(token));
  return tokens.filter(({ target }) => (target !== null) === (kind === 'link'));
}

/** The token or link with the id in the call; throws if it is no longer valid. */
export async function findActiveToken(
  store: TokenStore,
  { positionals }: CommandCall,
  kind: TokenKind,
): Promise<StoredToken> {
  const [id] = positionals;
  if (id === undefined) throw new UsageError(`the ID of a ${kind} is required`);
  const token = (await listTokens(store, kind)).find((candidate) => candidate.id === id);
  if (!token) throw new CommandError(`there is no ${kind} ${id}; tenor ${kind} list shows all`);
  if (token.isOfSource)
    throw new CommandError(
      `${kind} ${id} came from the server in FOLLOW: manage it there, and servers here follow within seconds`,
    );
  if (!isActive(token)) throw new CommandError(`${kind} ${id} is ${getTokenState(token)} already`);
  return token;
}

function getTokenState(token: Pick<StoredToken, 'revokedAt' | 'expiresAt' | 'isLeased'>): string {
  if (token.revokedAt !== null) return 'revoked';
  if (isActive(token)) return 'live';
  return token.isLeased ? 'unconfirmed' : 'expired';
}
