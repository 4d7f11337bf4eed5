import type { FlatFormat, ResponseFormatName } from '../../catalogue/model/response-format.ts';
import { AbandonedError } from '../../shared/abandoned-error.ts';
import type { Awaitable } from '../../shared/awaitable.ts';
import { FORMATS } from '../../shared/formats.ts';
import { system } from '../../shared/system.ts';
import type { ReadResult, StoreReader } from '../../store/open-store.ts';
import { describeSize, describeTable, type MetadataLine } from '../../tabular/describe-table.ts';
import { EncodingError, encodeRecords, type RecordSource } from '../../tabular/encode-records.ts';
import { selectFields, selectRecordFields } from '../../tabular/select-fields.ts';

/** The table that a page is encoded as. */
export interface PageTable {
  readonly source: RecordSource;
  /** The dataset, and others that it is computed from, by name. */
  readonly datasets: readonly string[];
  readonly format: FlatFormat;
  /** The path and query. */
  readonly target: string;
  /** The revision that the request names, if it does. */
  readonly asOf?: number | undefined;
  /** The fields of a format other than JSON; all if absent. */
  readonly fields?: readonly string[] | undefined;
}

/** The client that waits. The signal is created when it is read, which JSON does not need. */
export interface WaitingClient {
  readonly signal: AbortSignal;
}

/** A text is created sooner than a blob, but only a blob is sent many times without a copy. */
export type ResponseBody = string | Blob;

/** The body of a response with records, and what its headers need. */
export interface EncodedPage extends Omit<ReadResult, 'records'> {
  /** Null if there is no such fund, or if the format cannot hold the records. */
  readonly body: ResponseBody | null;
  /** Differs if the records differ. */
  readonly contentHash: string;
  /** Where the next page of a computed table begins; absent on the last one. */
  readonly nextPosition?: readonly (string | number)[] | undefined;
  /** Why the format cannot hold the records. */
  readonly problem?: string;
  /** How long encoding took; absent if nothing was encoded. */
  readonly encodeMs?: number;
  /** How many records these were looked for in; absent if an index found them. */
  readonly searched?: number | undefined;
}

export type PageRecords = ReadResult &
  Pick<EncodedPage, 'nextPosition' | 'searched'> & {
    /** If it is not that of the query. */
    readonly source?: RecordSource;
    /** Whether the records have the requested fields alone already. */
    readonly hasRequestedFields?: true;
    /** Whether the records are those of a range of revisions, not of one. */
    readonly isOfRange?: true;
  };

/** Records that were made one by one, joined as a format needs them. */
export function toPageRecords<Page extends Pick<PageRecords, 'revision'>>(
  { format }: { readonly format: ResponseFormatName },
  { texts, ...page }: Page & { readonly texts: readonly string[] },
) {
  return { ...page, count: texts.length, records: texts.join(format === 'json' ? ',' : '\n') };
}

/** Encodes a page as a file: only those fields of records that a table names; all if it names none. */
export function encodePage(
  reader: StoreReader,
  table: PageTable,
  page: PageRecords,
  client: WaitingClient,
): Awaitable<EncodedPage> {
  const { fields, format, source } = table;
  if (!fields) return encodeAll(reader, table, page, client);
  // Formats with columns take them from the source.
  const isReduced = format === 'ndjson' && page.count > 0;
  const texts = isReduced
    ? page.records.split('\n').map((text) => selectRecordFields(source, text, fields))
    : [page.records];
  const reduced = { ...page, records: texts.join('\n') };
  return encodeFields(reader, { ...table, source: selectFields(source, fields) }, reduced, client);
}

async function encodeFields(...[reader, table, page, client]: Parameters<typeof encodePage>) {
  const encoded = await encodeAll(reader, table, page, client);
  return { ...encoded, contentHash: `${encoded.contentHash} ${table.fields}` };
}

function encodeAll(
  reader: StoreReader,
  table: PageTable,
  { records, revision, count, total, lastKey, nextPosition }: PageRecords,
  client: WaitingClient,
): Awaitable<EncodedPage> {
  const { format, source } = table;
  // The columns of an aligned table have titles of several declarations.
  const columns = 'hasUnits' in source ? JSON.stringify(source.dataSchema) : '';
  const contentHash = hashText(`${records}${columns}`);
  const page = { revision, count, total, lastKey, nextPosition, contentHash };
  const { signal } = client;
  const contents = { texts: count === 0 ? [] : records.split('\n'), page, signal };
  const { hasMetadata, isDescribed } = FORMATS[format].traits;
  return isDescribed || (hasMetadata && isCut(page))
    ? encodeDescribed(reader, table, contents)
    : encodeFile(source, format, contents);
}

const hashText = (text: string) => Bun.hash.xxHash3(text).toString(36);

/** Whether more records match than a page has. */
const isCut = ({ lastKey, nextPosition }: Pick<EncodedPage, 'lastKey' | 'nextPosition'>) =>
  (lastKey ?? nextPosition) !== undefined;

/** A file of a format with a place for what describes it, or for what it lacks at least. */
async function encodeDescribed(
  reader: StoreReader,
  { source, datasets, target, asOf, format }: PageTable,
  { page, ...contents }: FileContentsToEncode,
): Promise<EncodedPage> {
  const { revision, count, total } = page;
  const origin = { source, datasets, revision, asOf, target };
  const metadata = [
    ...(FORMATS[format].traits.isDescribed ? await describeTable(reader, origin) : []),
    ...describeSize({ source, count, total, hasMore: isCut(page) }),
  ];
  // The file differs if its description does.
  const contentHash = hashText(JSON.stringify([page.contentHash, metadata]));
  return encodeFile(source, format, { ...contents, page: { ...page, contentHash }, metadata });
}

async function encodeFile(
  source: RecordSource,
  format: FlatFormat,
  { texts, page, ...options }: FileContentsToEncode,
): Promise<EncodedPage> {
  const { signal } = options;
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const startedMs = system.monotonicNow();
  try {
    for await (const chunk of encodeRecords(source, format, texts, options))
      chunks.push(chunk as Uint8Array<ArrayBuffer>);
  } catch (cause) {
    if (signal.aborted) throw new AbandonedError();
    if (!(cause instanceof EncodingError)) throw cause;
    return { ...page, body: null, problem: cause.message };
  }
  return { ...page, body: new Blob(chunks), encodeMs: system.monotonicNow() - startedMs };
}

interface FileContentsToEncode {
  readonly texts: readonly string[];
  readonly page: Omit<EncodedPage, 'body'>;
  readonly signal: AbortSignal;
  readonly metadata?: readonly MetadataLine[];
}
