import type { Dataset } from '../catalogue/model/dataset.ts';
import { RESPONSE_FORMATS } from '../catalogue/model/response-format.ts';
import { getSdmxPath } from '../catalogue/model/sdmx-address.ts';
import { getKeyFields } from '../schema/key-fields.ts';
import type { Coverage, DataOrigin, RevisionedList, StoreReader } from '../store/open-store.ts';
import { MADE_UP, PARTLY_MADE_UP } from './describe-table.ts';
import { readExportLayout } from './export-dataset.ts';
import type { TabularColumn } from './layout.ts';
import { type Licence, listLicences, MAX_ORIGINS, removeReplaced } from './list-licences.ts';

export interface DataPackageOptions {
  readonly catalogue: readonly Dataset[];
  readonly exports: readonly ExportDescription[];
  readonly revision: number;
  /** Set if the package is as of a revision, in which case its files are, too. */
  readonly asOf: number | undefined;
  /** Parquet files by dataset; if given, they are the resources, rather than CSV exports. */
  readonly files?: ReadonlyMap<string, readonly string[]>;
}

/** The part of a reader that exports are described with. */
export type ExportsReader = Pick<StoreReader, 'coverage' | 'records' | 'origins'>;

/** The CSV export of a dataset; can be sent between threads. */
export interface ExportDescription extends Pick<Coverage, 'lastRevision'> {
  readonly dataset: string;
  readonly columns: readonly TabularColumn[];
  /** The origins of its data, newest first. */
  readonly origins: readonly DataOrigin[];
}

/** Describes exports, all as of one revision: the current one or an earlier one. */
export async function describeExports(
  reader: ExportsReader,
  datasets: readonly Dataset[],
  asOf?: number,
): Promise<RevisionedList<ExportDescription>> {
  const { revision, entries } = await reader.coverage(datasets, asOf);
  const descriptions: ExportDescription[] = [];
  for (const { dataset, lastRevision } of entries) {
    const { columns } = await readExportLayout(reader, dataset, revision);
    const origins = await reader.origins(dataset.name, revision, MAX_ORIGINS);
    descriptions.push({ dataset: dataset.name, lastRevision, columns, origins });
  }
  return { revision, entries: descriptions };
}

const MAX_SOURCES = 10;

/** A Data Package (version 2) whose resources are the CSV exports of datasets, or Parquet files. */
export function buildDataPackage(options: DataPackageOptions) {
  const { catalogue, exports, revision, asOf, files } = options;
  const view = asOf === undefined ? undefined : asOf === 0 ? BEFORE_ANY_REVISION : String(asOf);
  const resources = exports.flatMap((described) => {
    const dataset = catalogue.find(({ name }) => name === described.dataset);
    // The standard has no resources without a file.
    const hasFile = files?.get(described.dataset)?.length !== 0;
    return dataset && hasFile ? [buildResource(dataset, described, view, files)] : [];
  });
  const [created] = exports
    .flatMap(({ lastRevision }) => lastRevision?.publishedAt ?? [])
    .toSorted()
    .reverse();
  return {
    $schema: 'https://datapackage.org/profiles/2.0/datapackage.json',
    name: 'tenor',
    title: 'Tenor',
    description: `Complete datasets, all of the revision that version names, as ${files ? 'Parquet' : 'CSV. The same paths with the extension .ndjson or .parquet have other formats'}.`,
    version: String(revision),
    ...(created !== undefined && { created }),
    ...findSharedLicences(resources),
    ...withoutEmpty({ sources: deduplicate(resources.flatMap(({ sources = [] }) => sources)) }),
    resources,
  };
}

/** Earlier than any revision. */
const BEFORE_ANY_REVISION = '1970-01-01';

function buildResource(
  dataset: Dataset,
  described: ExportDescription,
  asOf: string | undefined,
  files: DataPackageOptions['files'],
) {
  const { name, title, description, notes } = dataset;
  const origins = removeReplaced(described.origins);
  const { csv, parquet } = RESPONSE_FORMATS;
  const query = asOf === undefined ? '' : `?as_of=${asOf}`;
  const sdmx = files ? null : getSdmxPath(dataset, asOf);
  return {
    name,
    type: 'table',
    title,
    description: [description, ...describeSample(origins), ...notes].join(' '),
    path: files?.get(name) ?? `exports/${name}.${csv.extension}${query}`,
    ...(files
      ? { format: 'parquet', mediatype: parquet.mediaType }
      : { format: 'csv', mediatype: csv.mediaType, encoding: 'utf-8' }),
    ...(sdmx !== null && { sdmx: sdmx.slice(1) }),
    ...withoutEmpty({
      licenses: listLicences(dataset, origins),
      // If there is a server, its ledger lists all origins.
      sources: toSources(dataset, origins, files ? {} : { path: `revisions?dataset=${name}` }),
    }),
    schema: {
      fields: described.columns.map((column) => toField(column, dataset)),
      // A fund has many rows, and blanks in what distinguishes them if it has no classes.
      ...(dataset.shape !== 'fund' && { primaryKey: getKeyFields(dataset) }),
    },
  };
}

function describeSample(origins: readonly DataOrigin[]): string[] {
  if (!origins.some(({ sample }) => sample)) return [];
  return [origins.every(({ sample }) => sample) ? MADE_UP : PARTLY_MADE_UP];
}

/** The licences of all resources, if they have the same. */
function findSharedLicences(resources: readonly { readonly licenses?: readonly Licence[] }[]) {
  const [licenses, ...others] = deduplicate(resources.map((resource) => resource.licenses));
  return licenses && others.length === 0 ? { licenses } : {};
}

/** The publisher that a declaration names, and what was loaded. */
function toSources(
  { declaration }: Dataset,
  origins: readonly DataOrigin[],
  ledger: { readonly path?: string },
) {
  const loaded = origins.map(({ source }) => ({ title: source, ...ledger }));
  const declared = declaration?.source === undefined ? [] : [{ title: declaration.source }];
  return [...declared, ...deduplicate(loaded).slice(0, MAX_SOURCES)];
}

const FIELD_TYPES = {
  text: 'string',
  number: 'number',
  integer: 'integer',
  day: 'date',
  boolean: 'boolean',
} as const satisfies Record<TabularColumn['type'], string>;

function toField({ name, type, description, unit }: TabularColumn, dataset: Dataset) {
  const constraints = buildConstraints(dataset, name);
  return {
    name,
    type: FIELD_TYPES[type],
    ...(description !== undefined && { description }),
    ...(unit !== undefined && { unit }),
    ...withoutEmpty({ constraints }),
  };
}

/** Columns that stem from a list may be blank. */
function buildConstraints({ fields }: Dataset, column: string): object {
  const field = fields[column];
  if (!field || field.itemFields) return {};
  return {
    ...(!field.isNullable && { required: true }),
    ...(field.schema.enum !== undefined && { enum: field.schema.enum }),
  };
}

function deduplicate<T>(list: readonly T[]): T[] {
  return [...new Map(list.map((item) => [JSON.stringify(item), item])).values()];
}

/** The standard does not allow empty lists. */
function withoutEmpty<T extends Readonly<Record<string, object>>>(properties: T): Partial<T> {
  const entries = Object.entries(properties);
  return Object.fromEntries(
    entries.filter(([, value]) => Object.keys(value).length > 0),
  ) as Partial<T>;
}
