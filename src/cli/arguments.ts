import { catalogue } from '../catalogue/index.ts';
import { acceptDatetime } from '../catalogue/model/accept-datetime.ts';
import type { Dataset } from '../catalogue/model/dataset.ts';
import { isDay } from '../shared/calendar.ts';
import { type CommandCall, UsageError } from './command.ts';
import { formatSuggestion } from './suggest.ts';

export function findDataset(name: string | undefined): Dataset {
  const dataset = catalogue.find((candidate) => candidate.name === name);
  if (dataset) return dataset;
  const names = catalogue.map((candidate) => candidate.name);
  const problem =
    name === undefined
      ? 'a dataset is required'
      : `there is no dataset "${name}"${formatSuggestion(name, names)}`;
  throw new UsageError(`${problem}; the datasets are ${names.join(', ')}`);
}

/** The datasets with their titles, for the help of commands. */
export const DATASETS_HELP = [
  'Datasets:',
  ...catalogue.map(({ name, title }) => `  ${name.padEnd(34)} ${title}`),
].join('\n');

export function parseRevisionNumber(text: string | undefined): number {
  if (text !== undefined && /^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new UsageError('a revision number is required; tenor revisions lists them');
}

/** What `--as-of` names: a revision by its number, or an instant. */
export type AsOf = { readonly revision: number } | { readonly instant: string };

export const AS_OF_OPTION = {
  placeholder: 'WHEN',
  help: 'Historical data as of a revision, an instant, or the end of a day (UTC)',
} as const;

export function parseAsOf({ options }: CommandCall): AsOf | undefined {
  const { 'as-of': option } = options;
  if (option === undefined) return undefined;
  const text = String(option);
  if (/^\d{1,15}$/.test(text)) return { revision: Number(text) };
  const instant = acceptDatetime.parse(isDay(text) ? `${text}T23:59:59Z` : text);
  if (instant) return { instant: instant.toISOString() };
  throw new UsageError(
    '--as-of must be a revision such as 12, a day such as 2026-06-30, or an instant such as 2026-06-30T12:00:00Z',
  );
}
