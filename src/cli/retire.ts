import { RetireRefused, retire as retireRecords } from '../publish/retire.ts';
import type { Command } from './command.ts';
import { print, Refused, WrongUse } from './command.ts';
import { authorOf, datasetNamed, outcome, publishingOptions, withPublisher } from './publishing.ts';

export const retire: Command = {
  usage: 'retire DATASET KEY… [options]',
  words: Number.POSITIVE_INFINITY,
  summary: 'Take records out of the current data; history keeps them',
  options: publishingOptions,
  more: 'KEY is a period (Q1 2024), a fund_id, or DATE/SYMBOL for quotes (2026-06-30/ZZ12TB031226).',
  async run(call) {
    const [word, ...keys] = call.words;
    const dataset = datasetNamed(word);
    if (keys.length === 0) throw new WrongUse('a KEY is needed');
    const isDryRun = call.options['dry-run'] === true;
    const author = authorOf(call);
    try {
      const revision = await withPublisher(call, (publisher) =>
        retireRecords(publisher, { dataset, keys, author, dryRun: isDryRun }),
      );
      if (!call.options.json) return print(outcome(revision, revision, { isDryRun }));
      const status = isDryRun ? 'rehearsed' : 'published';
      const { added, corrected, retired, unchanged } = revision;
      const counts = { added, corrected, retired, unchanged };
      print(JSON.stringify({ status, revision: isDryRun ? null : revision, counts }, null, 2));
    } catch (cause) {
      throw cause instanceof RetireRefused ? new Refused(cause.message) : cause;
    }
  },
};
