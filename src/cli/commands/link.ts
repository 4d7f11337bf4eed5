import { LINK_PATH_PREFIX } from '../../catalogue/operations/links.ts';
import { type IssuedToken, issueLink } from '../../tokens/issue-token.ts';
import { type Command, type CommandCall, UsageError } from '../command.ts';
import { formatColumns } from '../format.ts';
import { checkLinkTarget } from '../link-target.ts';
import { printJson, printLine, printNote, printStyled } from '../output.ts';
import {
  EXPIRES_OPTION,
  getTokenState,
  listTokens,
  parseExpiry,
  parseName,
  parseRateOption,
  RATE_OPTION,
  revokeToken,
  withTokens,
} from '../token-options.ts';
import { openConfiguredStore, withTokenStore } from '../with-store.ts';

const JSON_OPTION = { json: { help: 'As JSON' } };
const DEFAULT_LIFETIME = '90d';

export const linkCreateCommand: Command = {
  usage: 'link create TARGET --name NAME [--expires WHEN] [--rate RATE] [--json]',
  maxArguments: 1,
  summary: 'Create a link, which gives one target without a token; it is shown only once',
  details:
    "TARGET is the path and query of a request for data, such as '/2.0/bnb/quote?type=tbill&format=csv'. A person or program with the link can read what the target gives, and nothing else.",
  options: {
    name: { placeholder: 'NAME', help: 'Who or what uses the link' },
    expires: { ...EXPIRES_OPTION, help: `${EXPIRES_OPTION.help}; default: ${DEFAULT_LIFETIME}` },
    rate: RATE_OPTION,
    ...JSON_OPTION,
  },
  async run(call) {
    const [target] = call.positionals;
    if (target === undefined)
      throw new UsageError('a TARGET is required, such as /2.0/bnb/quote?format=csv');
    const terms = {
      target,
      name: parseName(call.options.name),
      rate: parseRateOption(call.options.rate),
      expiresAt: parseExpiry(call.options.expires ?? DEFAULT_LIFETIME),
    };
    const store = await openConfiguredStore(call.settings(), { preparation: 'none' });
    const { scopes, notes } = await checkLinkTarget(store, target);
    const issued = await withTokenStore(store, (links) => issueLink(links, { ...terms, scopes }));
    printLink(issued, call);
    for (const note of notes) printNote(note);
  },
};

export const linkListCommand: Command = {
  usage: 'link list [--json]',
  summary: 'Show every link: name, target, state, last use; never its secret',
  options: JSON_OPTION,
  async run(call) {
    const links = await withTokens(call, (store) => listTokens(store, 'link'));
    const entries = links.map(({ digest: _, ...link }) => ({
      ...link,
      state: getTokenState(link),
    }));
    if (call.options.json) return printJson(entries);
    if (entries.length === 0) return printLine('No links yet. Use tenor link create.');
    const rows = entries.map((link) => [
      link.id,
      link.name,
      link.state,
      link.target ?? '',
      link.rate ?? 'default',
      link.expiresAt ?? 'never',
      link.lastUsedAt ?? 'never',
    ]);
    printStyled(
      formatColumns([['id', 'name', 'state', 'target', 'rate', 'expires', 'last use'], ...rows]),
    );
  },
};

export const linkRevokeCommand: Command = {
  usage: 'link revoke ID [--json]',
  maxArguments: 1,
  summary: 'Revoke a link; running servers reject it within seconds',
  options: JSON_OPTION,
  run: (call) => revokeToken(call, 'link'),
};

function printLink(
  { token: { digest: _, ...link }, secret }: IssuedToken,
  { options }: CommandCall,
): void {
  const path = `${LINK_PATH_PREFIX}${secret}`;
  if (options.json) {
    printJson({ ...link, link: path });
    return;
  }
  printLine(
    `${path}\n\n${link.id} (${link.name}) gives ${link.target} without a token, until ${link.expiresAt}.`,
  );
  printLine(
    'Put the address of the server before it. Save it now: it is not shown again. Running servers accept it within two seconds.',
  );
}
