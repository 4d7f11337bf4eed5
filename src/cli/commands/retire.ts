import { quotes } from '../../catalogue/datasets/quotes.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { CandidateInput } from '../../publish/desk/run-input.ts';
import { retireQuotes, retireRecords, retireSelected } from '../../publish/retire-records.ts';
import { isDay } from '../../shared/calendar.ts';
import { DATASETS_HELP, findPublishedDataset } from '../arguments.ts';
import { type Command, type CommandCall, UsageError } from '../command.ts';
import { PUBLISH_OPTIONS, publishAndPrint } from '../publish-options.ts';
import { STAGE_AT_OPTION } from '../stage-candidate.ts';

export const retireCommand: Command = {
  usage:
    'retire DATASET KEY… | retire quotes --symbol SYMBOL [--from DAY] [--to DAY] | retire DATASET --where FIELD=VALUE… [--from PERIOD] [--to PERIOD] [options]',
  maxArguments: Number.POSITIVE_INFINITY,
  summary: 'Remove records from the current data; they stay in the history',
  options: {
    symbol: { placeholder: 'SYMBOL', help: 'All quotes of a symbol, instead of KEYs' },
    where: {
      placeholder: 'FIELD=VALUE',
      isRepeatable: true,
      help: 'All records of a series with this value of a dimension, instead of KEYs',
    },
    from: { placeholder: 'PERIOD', help: 'With --symbol or of a series: the first day or period' },
    to: { placeholder: 'PERIOD', help: 'With --symbol or of a series: the last day or period' },
    'retire-many': { help: 'With a filter: allow retiring more than a tenth of the records' },
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
    const filter = parseFilter(call, dataset, keys);
    if (filter) {
      const input = { kind: 'retire-selected', dataset: dataset.name, ...filter } as const;
      await publishAndPrint(call, input, async (publisher, options) => ({
        revision: await retireSelected(publisher, { dataset, ...filter, ...options }),
      }));
      return;
    }
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

/** The filter of the options for a series; undefined if there is none. */
function parseFilter(call: CommandCall, dataset: Dataset, keys: readonly string[]) {
  const { from, to, 'retire-many': retireMany } = call.options;
  const where = call.getAll('where');
  const { period, declaration } = dataset;
  if (where.length === 0 && (!period || (from ?? to) === undefined)) return undefined;
  if (!period) throw new UsageError(`--where is for series, not for ${dataset.name}`);
  if (keys.length > 0) throw new UsageError('give KEYs or a filter, not both');
  const fields = (declaration?.dimensions ?? []).map(({ field }) => field);
  const values = where.map((text) => {
    const [, field = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (fields.includes(field) && value !== '') return { field, value };
    throw new UsageError(
      `--where must be DIMENSION=VALUE, not "${text}"; ${fields.length > 0 ? `dimensions are ${fields.join(', ')}` : `${dataset.name} has no dimensions`}`,
    );
  });
  const toOrdinal = (name: string, text: unknown) => {
    if (text === undefined) return undefined;
    const ordinal = period.kind.parseRequest(String(text)) ?? period.kind.toOrdinal(String(text));
    if (ordinal !== undefined) return ordinal;
    throw new UsageError(`--${name} must be ${period.kind.requirement}, not "${text}"`);
  };
  return {
    dimensions: fields.map((name) => {
      const own = values.filter(({ field }) => field === name).map(({ value }) => value);
      return own.length > 0 ? own : null;
    }),
    from: toOrdinal('from', from),
    to: toOrdinal('to', to),
    canRetireMany: retireMany === true,
    filter: [...where, ...(from ? [`from ${from}`] : []), ...(to ? [`to ${to}`] : [])].join(', '),
  };
}

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
