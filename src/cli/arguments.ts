import { Catalogues } from '../catalogue/catalogues.ts';
import { datasets } from '../catalogue/datasets/datasets.ts';
import { catalogue as shippedDatasets } from '../catalogue/index.ts';
import type { Dataset } from '../catalogue/model/dataset.ts';
import { acceptDatetime } from '../catalogue/model/parameter.ts';
import { isDay } from '../shared/calendar.ts';
import { formatNames } from '../shared/format-names.ts';
import { StoreMissingError, type StoreReader } from '../store/open-store.ts';
import { type CommandCall, CommandError, UsageError } from './command.ts';
import { formatSuggestion } from './format-suggestion.ts';
import { withReader } from './with-store.ts';

/** Finds a dataset of the store whose records can be published individually. */
export async function findPublishedDataset(call: CommandCall, name?: string): Promise<Dataset> {
  if (name === datasets.name)
    throw new UsageError(
      'datasets are declared by tenor dataset declare, and retired by tenor dataset retire',
    );
  return findStoredDataset(call, name);
}

/**
 * Finds a dataset of the store, as of a revision if one is given. The store is queried only for a dataset
 * that does not ship with the program, or whose fields have changed.
 */
export async function findStoredDataset(
  call: CommandCall,
  name?: string,
  {
    asOf,
    includesRetired = false,
  }: { asOf?: AsOfOption | undefined; includesRetired?: boolean } = {},
): Promise<Dataset> {
  const isShipped = shippedDatasets.some(
    (dataset) => dataset.name === name && !(asOf && dataset.addedFields),
  );
  if (isShipped || name === undefined) return findDataset(name);
  const stored = await withReader(call, async (reader) => {
    const revision = asOf ? await findRevision(reader, asOf) : await reader.revision();
    return new Catalogues(shippedDatasets, reader).prepare(revision);
  }).catch((cause) => {
    // It may be a declared one of a database that is elsewhere, unless it is a misspelled one of ours.
    const names = shippedDatasets.map((dataset) => dataset.name);
    if (!(cause instanceof StoreMissingError) || !formatSuggestion(name, names)) throw cause;
  });
  const when = asOf && ` as of ${'instant' in asOf ? asOf.instant : `revision ${asOf.revision}`}`;
  return findDataset(name, includesRetired ? stored?.listWithRetired() : stored?.datasets, when);
}

export function findDataset(name: string | undefined, known = shippedDatasets, when = ''): Dataset {
  const dataset = known.find((candidate) => candidate.name === name);
  if (dataset) return dataset;
  const names = known.map((candidate) => candidate.name);
  const problem =
    name === undefined
      ? 'a dataset is required'
      : `there is no dataset "${name}"${when}${formatSuggestion(name, names)}`;
  throw new UsageError(`${problem}; the datasets are ${formatNames(names)}`);
}

/** The revision that `--as-of` refers to. */
export async function findRevision(reader: StoreReader, asOf: AsOfOption): Promise<number> {
  if ('instant' in asOf) return (await reader.revisionAt(asOf.instant)).revision?.revision ?? 0;
  const newest = await reader.revision();
  if (asOf.revision <= newest) return asOf.revision;
  throw new CommandError(`there is no revision ${asOf.revision} yet; the newest is ${newest}`);
}

/** The datasets with their titles, for the help of commands. */
export const DATASETS_HELP = [
  'Datasets:',
  ...shippedDatasets.map(({ name, title }) => `  ${name.padEnd(34)} ${title}`),
].join('\n');

export function parseRevisionNumber(text: string | undefined): number {
  if (text !== undefined && /^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new UsageError('a revision number is required; tenor revisions lists them');
}

/** The value of an option that is a number in plain digits; undefined if the option is absent. */
export function parseNumberOption(
  { options }: CommandCall,
  name: string,
  min: number,
  max: number,
): number | undefined {
  const { [name]: text } = options;
  return text === undefined ? undefined : parseWholeNumber(`--${name}`, String(text), min, max);
}

export function parseWholeNumber(name: string, text: string, min: number, max: number): number {
  const number = Number(text);
  if (/^(0|[1-9]\d*)$/.test(text) && number >= min && number <= max) return number;
  throw new UsageError(`${name} must be a whole number from ${min} to ${max}, not "${text}"`);
}

/** An instant, or the end of a day; undefined for any other text. */
export function parseInstantOrDay(text: string): Date | undefined {
  return acceptDatetime.parse(isDay(text) ? `${text}T23:59:59Z` : text);
}

/** The value of `--as-of`: a revision by its number, or an instant. */
export type AsOfOption = { readonly revision: number } | { readonly instant: string };

export const AS_OF_OPTION = {
  placeholder: 'WHEN',
  help: 'Historical data as of a revision, an instant, or the end of a day (UTC)',
} as const;

export function parseAsOf({ options }: CommandCall): AsOfOption | undefined {
  const { 'as-of': option } = options;
  if (option === undefined) return undefined;
  const text = String(option);
  if (/^\d{1,15}$/.test(text)) return { revision: Number(text) };
  const instant = parseInstantOrDay(text);
  if (instant) return { instant: instant.toISOString() };
  throw new UsageError(
    '--as-of must be a revision such as 12, a day such as 2026-06-30, or an instant such as 2026-06-30T12:00:00Z',
  );
}

/** The server URL in an argument, without a trailing slash. */
export function parseServerUrl(argument: string, text: string): string {
  const url = URL.parse(text);
  const isPlain = url && !url.search && !url.hash && !url.username && !url.password;
  if (!isPlain || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError(`${argument} must be the URL of a server, such as http://127.0.0.1:8080`);
  return url.href.replace(/\/$/, '');
}
