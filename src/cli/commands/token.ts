import { SCOPES } from '../../catalogue/model/dataset.ts';
import { parseDuration } from '../../shared/duration.ts';
import type { TokenStore } from '../../store/open-store.ts';
import { type IssuedToken, issueToken, rotateToken } from '../../tokens/issue-token.ts';
import { type Command, type CommandCall, UsageError } from '../command.ts';
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
    rate: RATE_OPTION,
    ...JSON_OPTION,
  },
  async run(call) {
    const scopes = parseScopes(call.options.scopes);
    const attributes = { ...parseIssueOptions(call), scopes };
    await withTokens(call, async (store) =>
      printToken(call, store, await issueToken(store, attributes)),
    );
  },
};

export const tokenListCommand = createListCommand(
  'token',
  'Show every token: name, scopes, state, last use; never the token itself',
  { title: 'scopes', format: ({ scopes }) => scopes.join(',') },
);

export const tokenRevokeCommand = createRevokeCommand('token');

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
      const old = await findActiveToken(store, call, 'token');
      const deliver = (issued: IssuedToken) => printToken(call, store, issued);
      await rotateToken(store, old, { graceMs, expiresAt, deliver });
    });
  },
};

function printToken(call: CommandCall, store: TokenStore, issued: IssuedToken): Promise<void> {
  const { scopes, expiresAt } = issued.token;
  const until = expiresAt ? `, until ${expiresAt}` : '';
  const effect = `may read ${scopes.join(', ')}${until}`;
  return printIssued(call, store, issued, 'token', [effect, 'Save it now']);
}

function parseScopes(option: CommandCall['options'][string]): readonly string[] {
  if (typeof option !== 'string') return SCOPES;
  const scopes = [...new Set(option.split(','))];
  const unknown = scopes.find((scope) => !(SCOPES as readonly string[]).includes(scope));
  if (unknown === undefined) return scopes;
  throw new UsageError(`--scopes must be some of ${SCOPES.join(', ')}, not "${unknown}"`);
}
