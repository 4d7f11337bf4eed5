import { quotes } from '../../catalogue/datasets/quotes.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { CandidateInput } from '../../publish/desk/run-input.ts';
import { retireQuotes, retireRecords } from '../../publish/retire-records.ts';
import { isDay } from '../../shared/calendar.ts';
import { DATASETS_HELP, findPublishedDataset } from '../arguments.ts';
import { type Command, type CommandCall, UsageError } from '../command.ts';
import { PUBLISH_OPTIONS, publishAndPrint } from '../publish-options.ts';
import { STAGE_AT_OPTION } from '../stage-candidate.ts';

export const retireCommand: Command = {
  usage: 'retire DATASET KEY… | retire quotes --symbol SYMBOL [--from DAY] [--to DAY] [options]',
  maxArguments: Number.POSITIVE_INFINITY,
  summary: 'Remove records from the current data; they stay in the history',
  options: {
    symbol: { placeholder: 'SYMBOL', help: 'All quotes of a symbol, instead of KEYs' },
    from: { placeholder: 'DAY', help: 'With --symbol: the first day' },
    to: { placeholder: 'DAY', help: 'With --symbol: the last day' },
    ...STAGE_AT_OPTION,
    ...PUBLISH_OPTIONS,
  },
  details: [
    'KEY is a period (Q1 2024), with dimension values if any (2026-06-30/6M), a fund_id,',
    'or DATE/SYMBOL for quotes (2026-06-30/ZZ12TB031226).',
    '',
    DATASETS_HELP,
  ].join('\n'),
  async run(call) {
    const [datasetName, ...keys] = call.positionals;
    const dataset = await findPublishedDataset(call, datasetName);
    const selection = parseSymbolOptions(call, dataset, keys);
    if (!selection && keys.length === 0) throw new UsageError('a KEY is required');
    const input: CandidateInput = selection
      ? { kind: 'retire-quotes', ...selection }
      : { kind: 'retire', dataset: dataset.name, keys };
    await publishAndPrint(call, input, async (publisher, options) => ({
      revision: selection
        ? await retireQuotes(publisher, { ...selection, ...options })
        : await retireRecords(publisher, { dataset, keys, ...options }),
    }));
  },
};

/** The symbol and the days of the options; undefined if records are given by their keys. */
function parseSymbolOptions({ options }: CommandCall, dataset: Dataset, keys: readonly string[]) {
  const { symbol, from, to } = options as Readonly<Record<string, string | undefined>>;
  for (const [name, day] of Object.entries({ from, to })) {
    if (day === undefined) continue;
    if (symbol === undefined) throw new UsageError(`--${name} has no effect without --symbol`);
    if (!isDay(day)) throw new UsageError(`--${name} must be a day as YYYY-MM-DD, not "${day}"`);
  }
  if (symbol === undefined) return undefined;
  if (dataset !== quotes) throw new UsageError(`--symbol is for quotes, not for ${dataset.name}`);
  if (keys.length > 0) throw new UsageError('give KEYs or --symbol, not both');
  if (symbol === '') throw new UsageError('--symbol must name a symbol');
  if (from !== undefined && to !== undefined && from > to)
    throw new UsageError('--from must not be after --to');
  return { symbol, from, to };
}
