import { catalogue } from '../catalogue/index.ts';
import { revert as undo } from '../publish/revert.ts';
import type { Command } from './command.ts';
import {
  authorOf,
  publishingOptions,
  revisionWord,
  tellPublished,
  withPublisher,
} from './publishing.ts';

export const revert: Command = {
  usage: 'revert N [options]',
  words: 1,
  summary: 'Undo a revision by a new one',
  options: publishingOptions,
  async run(call) {
    const number = revisionWord(call.words[0]);
    const dryRun = call.options['dry-run'] === true;
    const author = authorOf(call);
    const revision = await withPublisher(call, (publisher) =>
      undo(publisher, catalogue, { revision: number, author, dryRun }),
    );
    tellPublished(call, revision);
  },
};
