import { readNewestCatalogue } from '../../catalogue/catalogues.ts';
import { catalogue } from '../../catalogue/index.ts';
import { SCOPES } from '../../catalogue/model/dataset.ts';
import { SCOPE_PATTERN } from '../../catalogue/model/declaration.ts';
import { parseDuration } from '../../shared/duration.ts';
import type { TokenStore } from '../../store/open-store.ts';
import { type IssuedToken, issueToken, rotateToken } from '../../tokens/issue-token.ts';
import { EVERY_SCOPE, formatScopes } from '../../tokens/scopes.ts';
import { type Command, type CommandCall, UsageError } from '../command.ts';
import { printNote } from '../output.ts';
import {
  createListCommand,
  createRevokeCommand,
  EXPIRES_OPTION,
  findActiveToken,
  JSON_OPTION,
  parseExpiry,
  parseIssueOptions,
  printIssued,
  RATE_OPTION,
  withTokens,
} from '../token-options.ts';
import { withReader } from '../with-store.ts';

export const tokenCreateCommand: Command = {
  usage:
    'token create --name NAME [--scopes LIST] [--expires WHEN] [--rate RATE] [--may-share] [--may-follow-tokens] [--json]',
  summary: 'Create a token; it is shown only once',
  options: {
    name: { placeholder: 'NAME', help: 'Who or what uses the token' },
    scopes: {
      placeholder: 'LIST',
      help: `Scopes that it may read: ${SCOPES.join(',')}, datasets, or scopes of declarations (default: all, later ones too)`,
    },
    expires: EXPIRES_OPTION,
    rate: RATE_OPTION,
    'may-share': { help: 'It may sign links to what it may read (/links/sign)' },
    'may-follow-tokens': {
      help: 'For FOLLOW_TOKEN of a follower: tokens and links of this server are valid there, too',
    },
    ...JSON_OPTION,
  },
  async run(call) {
    const scopes = parseScopes(call.options.scopes);
    const mayShare = call.options['may-share'] === true;
    const mayFollowTokens = call.options['may-follow-tokens'] === true;
    const attributes = { ...parseIssueOptions(call), scopes, mayShare, mayFollowTokens };
    await withTokens(call, async (store) =>
      printToken(call, store, await issueToken(store, attributes)),
    );
    for (const scope of await findUnusedScopes(call, scopes))
      printNote(`no dataset currently has the scope "${scope}"`);
  },
};

export const tokenListCommand = createListCommand(
  'token',
  'Show every token: name, scopes, state, last use; never the token itself',
  { title: 'scopes', format: ({ scopes }) => formatScopes(scopes, ',') },
);

export const tokenRevokeCommand = createRevokeCommand('token');

export const tokenRotateCommand: Command = {
  usage: 'token rotate ID [--expires WHEN] [--grace TIME] [--json]',
  maxArguments: 1,
  summary: 'Replace a token with a new one of the same scopes, rate and lifetime',
  options: {
    expires: {
      ...EXPIRES_OPTION,
      help: `${EXPIRES_OPTION.help}; default: the lifetime of the old token, from now on`,
    },
    grace: {
      placeholder: 'TIME',
      help: 'How long the old token stays valid (12h, 30min; default: not at all)',
    },
    ...JSON_OPTION,
  },
  async run(call) {
    const { grace, expires } = call.options;
    const graceMs = typeof grace === 'string' ? parseDuration(grace) : 0;
    if (graceMs === undefined) throw new UsageError(`--grace must be a time such as 12h`);
    const expiresAt = expires === undefined ? undefined : parseExpiry(expires);
    await withTokens(call, async (store) => {
      const old = await findActiveToken(store, call, 'token');
      const deliver = (issued: IssuedToken) => printToken(call, store, issued);
      await rotateToken(store, old, { graceMs, expiresAt, deliver });
    });
  },
};

function printToken(call: CommandCall, store: TokenStore, issued: IssuedToken): Promise<void> {
  const { scopes, expiresAt, mayShare, mayFollowTokens } = issued.token;
  const until = expiresAt ? `, until ${expiresAt}` : '';
  const sharing = mayShare ? ' and share' : '';
  const following = mayFollowTokens ? ', and follow tokens and links' : '';
  const effect = `may read${sharing} ${formatScopes(scopes, ', ')}${following}${until}`;
  return printIssued(call, store, issued, 'token', [effect, 'Save it now']);
}

export function parseScopes(option: CommandCall['options'][string]): readonly string[] {
  if (typeof option !== 'string') return EVERY_SCOPE;
  const scopes = [...new Set(option.split(','))];
  const invalid = scopes.find((scope) => !new RegExp(SCOPE_PATTERN).test(scope));
  if (invalid === undefined) return scopes;
  throw new UsageError(`--scopes must be words such as ${SCOPES.join(',')}, not "${invalid}"`);
}

/** Scopes that no dataset has: a dataset may be declared later, or the scope is misspelt. */
async function findUnusedScopes(call: CommandCall, scopes: readonly string[]): Promise<string[]> {
  const known = new Set<string>([...SCOPES, ...EVERY_SCOPE]);
  const others = scopes.filter((scope) => !known.has(scope));
  if (others.length === 0) return [];
  const { datasets } = await withReader(call, (reader) => readNewestCatalogue(catalogue, reader));
  return others.filter((scope) => !datasets.some((dataset) => dataset.scope === scope));
}
