import { SCOPES } from '../../catalogue/model/dataset.ts';
import { parseDuration } from '../../shared/duration.ts';
import { type IssuedToken, issueToken, rotateToken } from '../../tokens/issue-token.ts';
import { type Command, type CommandCall, UsageError } from '../command.ts';
import { formatColumns } from '../format.ts';
import { printJson, printLine, printStyled } from '../output.ts';
import {
  EXPIRES_OPTION,
  findActiveToken,
  getTokenState,
  listTokens,
  parseExpiry,
  parseName,
  parseRateOption,
  RATE_OPTION,
  revokeToken,
  withTokens,
} from '../token-options.ts';

const JSON_OPTION = { json: { help: 'As JSON' } };
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
    const attributes = {
      name: parseName(call.options.name),
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
    const tokens = await withTokens(call, (store) => listTokens(store, 'token'));
    const entries = tokens.map(({ digest: _digest, target: _target, ...token }) => ({
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
  run: (call) => revokeToken(call, 'token'),
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
      const old = await findActiveToken(store, call, 'token');
      printToken(await rotateToken(store, old, { graceMs, expiresAt }), call);
    });
  },
};

function printToken(
  { token: { digest: _digest, target: _target, ...token }, secret }: IssuedToken,
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

function parseScopes(option: CommandCall['options'][string]): readonly string[] {
  if (typeof option !== 'string') return SCOPES;
  const scopes = [...new Set(option.split(','))];
  const unknown = scopes.find((scope) => !(SCOPES as readonly string[]).includes(scope));
  if (unknown === undefined) return scopes;
  throw new UsageError(`--scopes must be some of ${SCOPES.join(', ')}, not "${unknown}"`);
}
