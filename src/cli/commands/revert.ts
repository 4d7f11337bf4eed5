import { catalogue } from '../../catalogue/index.ts';
import { revertRevision as undo } from '../../publish/revert-revision.ts';
import type { Command } from '../command.ts';
import {
  getAuthor,
  PUBLISH_OPTIONS,
  parseRevisionNumber,
  printPublished,
  withPublisher,
} from '../publishing.ts';

export const revertCommand: Command = {
  usage: 'revert N [options]',
  maxArguments: 1,
  summary: 'Undo a revision by a new one',
  options: PUBLISH_OPTIONS,
  async run(call) {
    const number = parseRevisionNumber(call.positionals[0]);
    const dryRun = call.options['dry-run'] === true;
    const author = getAuthor(call);
    const revision = await withPublisher(call, (publisher) =>
      undo(publisher, catalogue, { revision: number, author, isDryRun: dryRun }),
    );
    printPublished(call, revision);
  },
};
