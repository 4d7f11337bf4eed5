import { retireRecords } from '../../publish/retire-records.ts';
import { findDataset } from '../arguments.ts';
import { type Command, UsageError } from '../command.ts';
import { printPublished } from '../format.ts';
import { getAuthor, PUBLISH_OPTIONS } from '../publish-options.ts';
import { withPublisher } from '../with-store.ts';

export const retireCommand: Command = {
  usage: 'retire DATASET KEY… [options]',
  maxArguments: Number.POSITIVE_INFINITY,
  summary: 'Remove records from the current data; the history keeps them',
  options: PUBLISH_OPTIONS,
  details:
    'KEY is a period (Q1 2024), a fund_id, or DATE/SYMBOL for quotes (2026-06-30/ZZ12TB031226).',
  async run(call) {
    const [datasetName, ...keys] = call.positionals;
    const dataset = findDataset(datasetName);
    if (keys.length === 0) throw new UsageError('a KEY is required');
    const isDryRun = call.options['dry-run'] === true;
    const author = getAuthor(call);
    const revision = await withPublisher(call, (publisher) =>
      retireRecords(publisher, { dataset, keys, author, isDryRun }),
    );
    printPublished(call, revision);
  },
};
