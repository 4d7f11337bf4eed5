import { LINK_PATH_PREFIX } from '../../operations/links/link-operation.ts';
import { issueLink } from '../../tokens/issue-token.ts';
import { type Command, UsageError } from '../command.ts';
import { checkLinkTarget } from '../link-target.ts';
import { printNote } from '../output.ts';
import {
  createListCommand,
  createRevokeCommand,
  EXPIRES_OPTION,
  JSON_OPTION,
  parseIssueOptions,
  printIssued,
  RATE_OPTION,
} from '../token-options.ts';
import { closeAfter, openConfiguredStore } from '../with-store.ts';

const DEFAULT_LIFETIME = '90d';

export const linkCreateCommand: Command = {
  usage: 'link create TARGET --name NAME [--expires WHEN] [--rate RATE] [--json]',
  maxArguments: 1,
  summary: 'Create an access link, which serves one target without a token; it is shown only once',
  details:
    "TARGET is the path and query of a request for data, such as '/2.0/bnb/quote?type=tbill&format=csv'. Anyone with the link can read that target, and nothing else.",
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
    const terms = { target, ...parseIssueOptions(call, DEFAULT_LIFETIME) };
    const store = await openConfiguredStore(call.settings(), { preparation: 'none' });
    const { scopes, notes } = await checkLinkTarget(store, target);
    await closeAfter(store.tokens(), async (links) => {
      const issued = await issueLink(links, { ...terms, scopes });
      const link = { ...issued, secret: `${LINK_PATH_PREFIX}${issued.secret}` };
      await printIssued(call, links, link, 'link', [
        `serves ${target} without a token until ${terms.expiresAt}`,
        'Prefix it with the address of the server. Save it now',
      ]);
    });
    for (const note of notes) printNote(note);
  },
};

export const linkListCommand = createListCommand(
  'link',
  'Show every link: name, target, state, last use; never its secret',
  { title: 'target', format: ({ target }) => target ?? '' },
);

export const linkRevokeCommand = createRevokeCommand('link');
