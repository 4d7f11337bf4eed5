import { catalogue } from '../../catalogue/index.ts';
import { revertRevision } from '../../publish/revert-revision.ts';
import { parseRevisionNumber } from '../arguments.ts';
import type { Command } from '../command.ts';
import { printPublished } from '../format.ts';
import { getAuthor, PUBLISH_OPTIONS } from '../publish-options.ts';
import { withPublisher } from '../with-store.ts';

export const revertCommand: Command = {
  usage: 'revert N [options]',
  maxArguments: 1,
  summary: 'Undo a revision by publishing a new one',
  options: PUBLISH_OPTIONS,
  async run(call) {
    const number = parseRevisionNumber(call.positionals[0]);
    const isDryRun = call.options['dry-run'] === true;
    const author = getAuthor(call);
    const revision = await withPublisher(call, (publisher) =>
      revertRevision(publisher, catalogue, { revision: number, author, isDryRun }),
    );
    printPublished(call, revision);
  },
};
