import { retireRecords } from '../../publish/retire-records.ts';
import type { Command } from '../command.ts';
import { UsageError } from '../command.ts';
import {
  findDataset,
  getAuthor,
  PUBLISH_OPTIONS,
  printPublished,
  withPublisher,
} from '../publishing.ts';

export const retireCommand: Command = {
  usage: 'retire DATASET KEY… [options]',
  maxArguments: Number.POSITIVE_INFINITY,
  summary: 'Take records out of the current data; history keeps them',
  options: PUBLISH_OPTIONS,
  details:
    'KEY is a period (Q1 2024), a fund_id, or DATE/SYMBOL for quotes (2026-06-30/ZZ12TB031226).',
  async run(call) {
    const [word, ...keys] = call.positionals;
    const dataset = findDataset(word);
    if (keys.length === 0) throw new UsageError('a KEY is needed');
    const dryRun = call.options['dry-run'] === true;
    const author = getAuthor(call);
    const revision = await withPublisher(call, (publisher) =>
      retireRecords(publisher, { dataset, keys, author, isDryRun: dryRun }),
    );
    printPublished(call, revision);
  },
};
