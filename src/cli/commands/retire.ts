import { retireRecords } from '../../publish/retire-records.ts';
import { DATASETS_HELP, findDataset } from '../arguments.ts';
import { type Command, UsageError } from '../command.ts';
import { PUBLISH_OPTIONS, publishAndPrint } from '../publish-options.ts';

export const retireCommand: Command = {
  usage: 'retire DATASET KEY… [options]',
  maxArguments: Number.POSITIVE_INFINITY,
  summary: 'Remove records from the current data; the history keeps them',
  options: PUBLISH_OPTIONS,
  details: [
    'KEY is a period (Q1 2024), a fund_id, or DATE/SYMBOL for quotes (2026-06-30/ZZ12TB031226).',
    '',
    DATASETS_HELP,
  ].join('\n'),
  async run(call) {
    const [datasetName, ...keys] = call.positionals;
    const dataset = findDataset(datasetName);
    if (keys.length === 0) throw new UsageError('a KEY is required');
    await publishAndPrint(call, async (publisher, options) => ({
      revision: await retireRecords(publisher, { dataset, keys, ...options }),
    }));
  },
};
