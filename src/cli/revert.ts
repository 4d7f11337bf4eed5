import { catalogue } from '../catalogue/index.ts';
import { RevertRefused, revert as undo } from '../publish/revert.ts';
import type { Command } from './command.ts';
import { print, Refused } from './command.ts';
import { authorOf, outcome, publishingOptions, revisionWord, withPublisher } from './publishing.ts';

export const revert: Command = {
  usage: 'revert N [options]',
  words: 1,
  summary: 'Undo a revision by a new one',
  options: publishingOptions,
  async run(call) {
    const number = revisionWord(call.words[0]);
    const isDryRun = call.options['dry-run'] === true;
    const author = authorOf(call);
    try {
      const revision = await withPublisher(call, (publisher) =>
        undo(publisher, catalogue, { revision: number, author, dryRun: isDryRun }),
      );
      if (!call.options.json) return print(outcome(revision, revision, { isDryRun }));
      const status = isDryRun ? 'rehearsed' : 'published';
      const { added, corrected, retired, unchanged } = revision;
      const counts = { added, corrected, retired, unchanged };
      print(JSON.stringify({ status, revision: isDryRun ? null : revision, counts }, null, 2));
    } catch (cause) {
      throw cause instanceof RevertRefused ? new Refused(cause.message) : cause;
    }
  },
};
