import type { ResponseFormatName } from '../../catalogue/model/response-format.ts';
import { AbandonedError } from '../../shared/abandoned-error.ts';
import { type Awaitable, whenReady } from '../../shared/awaitable.ts';
import { system } from '../../shared/system.ts';
import type { ReadResult, StoreReader } from '../../store/open-store.ts';
import { describeSize, describeTable, type MetadataLine } from '../../tabular/describe-table.ts';
import { EncodingError, encodeRecords, type RecordSource } from '../../tabular/encode-records.ts';
import { selectFields, selectRecordFields } from '../../tabular/select-fields.ts';

/** The parts of a request that a table is made for. */
export interface RequestedTable {
  /** The dataset, and others that it is computed from, by name. */
  readonly datasets: readonly string[];
  readonly format: ResponseFormatName;
  /** The path and query. */
  readonly target: string;
  /** The revision that it is of; absent where the current data is requested. */
  readonly asOf?: number | undefined;
  /** The fields of a format other than JSON; all where absent. */
  readonly fields?: readonly string[] | undefined;
}

/** The client that waits for a page. The signal is created when it is read, which JSON does not need. */
export interface PageClient {
  readonly signal: AbortSignal;
}

/** A text is created sooner than a blob, but only a blob is sent many times without a copy. */
export type ResponseBody = string | Blob;

/** The body of a response with records, and what its headers need. */
export interface EncodedPage extends Omit<ReadResult, 'records'> {
  /** Null where there is no such fund, or where the format cannot hold the records. */
  readonly body: ResponseBody | null;
  /** Differs where the records differ. */
  readonly contentHash: string;
  /** Where the next page begins, of what is no selection of records; absent on the last one. */
  readonly nextPosition?: readonly (string | number)[] | undefined;
  /** What the request names that no record has. */
  readonly unknown?: string;
  /** Why the format cannot hold the records. */
  readonly problem?: string;
  /** How long encoding took; absent where nothing was encoded. */
  readonly encodeMs?: number;
}

/** The records of a page, before they are encoded. */
export type PageRecords = ReadResult & Pick<EncodedPage, 'nextPosition' | 'unknown'>;

/** Encodes only those fields of records that a job names; all where it names none. */
export function encodePage(
  reader: StoreReader,
  source: RecordSource,
  options: PageToEncode,
): Awaitable<EncodedPage> {
  const { job, page, client } = options;
  const { fields, format } = job;
  if (!fields) return encodeAll(reader, source, options);
  // Formats with columns take them from the source.
  const isReduced = format === 'ndjson' && page.count > 0;
  const texts = isReduced
    ? page.records.split('\n').map((text) => selectRecordFields(source, text, fields))
    : [page.records];
  const reduced = { ...page, records: texts.join('\n') };
  const encoded = encodeAll(reader, selectFields(source, fields), { job, page: reduced, client });
  return whenReady(encoded, (result) => ({
    ...result,
    contentHash: `${result.contentHash} ${fields}`,
  }));
}

interface PageToEncode {
  readonly job: RequestedTable;
  readonly page: PageRecords;
  readonly client: PageClient;
}

function encodeAll(
  reader: StoreReader,
  source: RecordSource,
  { job, page: { records, ...result }, client }: PageToEncode,
): Awaitable<EncodedPage> {
  const { format } = job;
  // The columns of an aligned table have titles of several declarations.
  const columns =
    'hasUnits' in source && format !== 'json' ? JSON.stringify(source.dataSchema) : '';
  const contentHash = hashText(`${records}${columns}`);
  if (isFund(source) && result.count === 0) return { ...result, contentHash, body: null };
  if (format === 'json') return { ...result, contentHash, body: wrapInEnvelope(source, records) };
  const page = { ...result, contentHash };
  const texts = result.count === 0 ? [] : records.split('\n');
  const { signal } = client;
  if (format !== 'xlsx') return encodeFile(source, format, { texts, page, signal });
  return describePage(reader, source, { job, result }).then((metadata) => {
    // The file differs where its description does.
    const described = { ...page, contentHash: hashText(JSON.stringify([contentHash, metadata])) };
    return encodeFile(source, format, { texts, page: described, signal, metadata });
  });
}

const hashText = (text: string) => Bun.hash.xxHash3(text).toString(36);

async function describePage(
  reader: StoreReader,
  source: RecordSource,
  { job, result }: { job: RequestedTable; result: Omit<PageRecords, 'records'> },
): Promise<readonly MetadataLine[]> {
  const { revision, count, total, lastPosition, lastKey, nextPosition } = result;
  const { target, asOf, datasets } = job;
  const origin = { source, datasets, revision, asOf, target };
  const hasMore = (lastPosition ?? lastKey ?? nextPosition) !== undefined;
  return [
    ...(await describeTable(reader, origin)),
    ...describeSize({ source, count, total, hasMore }),
  ];
}

async function encodeFile(
  source: RecordSource,
  format: Exclude<ResponseFormatName, 'json'>,
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

const MAX_TEXT_CHARACTERS = 131_072;

/** Long records become parts of a blob: joining them first would copy megabytes. */
function wrapInEnvelope(source: RecordSource, records: string): ResponseBody {
  const [open, close] = isFund(source) ? ['', ''] : ['[', ']'];
  const message = 'hasMessage' in source && source.hasMessage ? '"message":"",' : '';
  const parts = [`{"status":"ok",${message}"data":${open}`, records, `${close}}`];
  return records.length > MAX_TEXT_CHARACTERS
    ? new Blob(parts)
    : `${parts[0]}${parts[1]}${parts[2]}`;
}

function isFund(source: RecordSource): boolean {
  return 'shape' in source && source.shape === 'fund';
}
