import type { AnyRecord, Dataset } from '../catalogue/model/dataset.ts';
import type { JsonSchema } from '../catalogue/model/json-schema.ts';
import { withStatus } from '../catalogue/model/observations.ts';
import type { Operation } from '../catalogue/model/operation.ts';
import type { FlatFormat } from '../catalogue/model/response-format.ts';
import { InvalidFileError, type MetadataLine } from '../formats/file-contents.ts';
import { RESPONSE_WRITERS } from '../formats/writers.ts';
import { VINTAGE_SCHEMAS } from '../operations/vintages/vintages-operation.ts';
import { system } from '../shared/system.ts';
import { collectKeyOrders } from './key-order.ts';
import {
  createObjectLayout,
  createPeriodByClassLayout,
  createTabularLayout,
  type TabularCell,
  type TabularColumn,
  type TabularLayout,
} from './layout.ts';

/** Thrown if the format cannot hold the records; the message says why. */
export { InvalidFileError as EncodingError };

/** The dataset of records, the changes of one, or the operation whose data is a table. */
export type RecordSource =
  | Dataset
  | DatasetChanges
  | (Operation & { readonly declared?: undefined });

/** Records of a dataset, each with how it changed or when it was valid. */
export interface DatasetChanges {
  readonly name: string;
  readonly changesOf: Dataset;
  readonly kind: keyof typeof CHANGE_COLUMNS;
  /** As that of the dataset. */
  readonly declared?: Dataset['declared'] | undefined;
}

export function changesOf(dataset: Dataset, kind: DatasetChanges['kind']): DatasetChanges {
  const own = kind === 'vintages' ? withStatus(dataset) : dataset;
  const { name, declared } = dataset;
  return { name: `${name}-${kind}`, changesOf: own, kind, declared };
}

export interface EncodeOptions {
  readonly signal?: AbortSignal;
  /** Lines about the records, for formats that can hold them. */
  readonly metadata?: readonly MetadataLine[] | undefined;
}

/**
 * Encodes records, given as JSON texts, and yields to the event loop now and then. After an abort, throws the
 * signal's reason.
 */
export async function* encodeRecords(
  source: RecordSource,
  format: FlatFormat,
  texts: readonly string[],
  { signal, metadata }: EncodeOptions = {},
): AsyncGenerator<Uint8Array> {
  if (format === 'ndjson') {
    const encoder = new TextEncoder();
    for await (const chunk of splitIntoChunks(texts, signal))
      yield encoder.encode(`${chunk.join('\n')}\n`);
    return;
  }
  const records: AnyRecord[] = [];
  for await (const chunk of splitIntoChunks(texts, signal)) {
    for (const text of chunk) records.push(JSON.parse(text));
  }
  const { columns, toRows } = createResponseLayout(source, records);
  const rows = (async function* () {
    for await (const chunk of splitIntoChunks(records, signal)) yield chunk.flatMap(toRows);
  })();
  const tellsUnits = 'computedUnits' in source;
  const table = { title: source.name, columns, rows, tellsUnits };
  yield* RESPONSE_WRITERS[format](metadata ? { ...table, metadata: () => metadata } : table);
}

function createResponseLayout(source: RecordSource, records: readonly AnyRecord[]): TabularLayout {
  if ('dataSchema' in source)
    return createObjectLayout(source.dataSchema.items as JsonSchema, source.rowList);
  if ('changesOf' in source) return createChangesLayout(source, records);
  if (source.shape === 'fund') return createPeriodByClassLayout(records);
  return createTabularLayout(source, collectKeyOrders(source, records));
}

const CHANGE_COLUMN = {
  name: 'change',
  type: 'text',
  description: 'What happened to the record: added, corrected or retired',
} as const;

/** The columns that precede those of a changed record, or follow those of a state. */
const CHANGE_COLUMNS = {
  changes: [CHANGE_COLUMN],
  corrections: [
    { name: 'revision', type: 'integer', description: 'The revision that changed the record' },
    { name: 'publishedAt', type: 'text', description: 'When that revision was published' },
    CHANGE_COLUMN,
    { name: 'version', type: 'text', description: 'Whether it is the old record or the new one' },
  ],
  vintages: createObjectLayout({ properties: VINTAGE_SCHEMAS }).columns,
} as const satisfies Record<string, readonly TabularColumn[]>;

/** The layout of exports, preceded by the columns of a change or followed by those of a state. */
function createChangesLayout(
  { changesOf: dataset, kind }: DatasetChanges,
  changes: readonly AnyRecord[],
): TabularLayout {
  const names = CHANGE_COLUMNS[kind].map(({ name }) => name);
  const listRows = (change: AnyRecord) =>
    kind === 'vintages'
      ? ([[names.map((name) => change[name] as TabularCell), change]] as const)
      : listVersions(change, names);
  const records = changes.flatMap(listRows).map(([, record]) => record);
  const { columns, toRows } = createTabularLayout(dataset, collectKeyOrders(dataset, records));
  const join = <T>(own: readonly T[], others: readonly T[]) =>
    kind === 'vintages' ? [...others, ...own] : [...own, ...others];
  return {
    columns: join(CHANGE_COLUMNS[kind], columns),
    toRows: (change) =>
      listRows(change).flatMap(([cells, record]) => toRows(record).map((row) => join(cells, row))),
  };
}

/** The record of a change, or both records of a correction, each preceded by the cells of these columns. */
function listVersions({ record, old, new: later, ...change }: AnyRecord, names: readonly string[]) {
  const cells = names
    .filter((name) => Object.hasOwn(change, name))
    .map((name) => change[name] as TabularCell);
  const versions = record
    ? [[cells, record]]
    : Object.entries({ old, new: later }).map(([version, each]) => [[...cells, version], each]);
  return versions.filter(([, each]) => each !== null) as [TabularCell[], AnyRecord][];
}

const CHUNK_SIZE = 250;

async function* splitIntoChunks<T>(
  list: readonly T[],
  signal?: AbortSignal,
): AsyncGenerator<readonly T[]> {
  for (let index = 0; index < list.length; index += CHUNK_SIZE) {
    if (index > 0) await system.nextTurn();
    signal?.throwIfAborted();
    yield list.slice(index, index + CHUNK_SIZE);
  }
}
