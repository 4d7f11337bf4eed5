import { type Awaitable, whenReady } from '../../awaitable.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { ResponseFormatName } from '../../catalogue/model/response-format.ts';
import { fundsOperation, securitiesOperation } from '../../catalogue/operations/discovery.ts';
import { memoizeAsync } from '../../memoize.ts';
import type { ReadResult, Selection, StoreReader } from '../../store/open-store.ts';
import { EncodingError, encodeRecords, type RecordSource } from '../../tabular/encode-records.ts';
import { selectFields, selectRecordFields } from '../../tabular/select-fields.ts';
import type { ResponseBody } from '../responses/response.ts';
import { AbandonedError } from './job-queue.ts';
import { type ChangesPosition, type ChangesSelection, readChanges } from './read-changes.ts';
import { createFigureReader, type FigureJob } from './read-figures.ts';

/** A page of a dataset, of its changes or of figures computed from it, or a complete list. */
export type PageJob = SelectionJob | ChangesJob | ListJob | FigureJob;

interface SelectionJob {
  readonly dataset: string;
  readonly selection: NamedSelection;
  readonly format: ResponseFormatName;
  /** The fields of a format other than JSON; all where absent. */
  readonly fields?: readonly string[] | undefined;
  /** Whether all matches are counted, beyond the limit. */
  readonly includeTotal: boolean;
}

interface ListJob {
  readonly list: keyof typeof LIST_OPERATIONS;
  readonly dataset: string;
  readonly asOf: number | undefined;
  readonly format: ResponseFormatName;
}

interface ChangesJob {
  readonly dataset: string;
  readonly changes: ChangesSelection;
  readonly format: ResponseFormatName;
}

/** Who waits for a page. The signal is created when it is read, which JSON does not need. */
export interface PageClient {
  readonly signal: AbortSignal;
}

/** A selection without its dataset, which is given by name. */
type NamedSelection = DistributiveOmit<Selection, 'dataset'>;
type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never;

/** The body of a response with records, and what its headers need. */
export interface Page extends Omit<ReadResult, 'records'> {
  /** Null where there is no such fund, or where the format cannot hold the records. */
  readonly body: ResponseBody | null;
  /** Differs where the records differ. */
  readonly contentHash: string;
  /** Where the next page of changes begins, if there is one. */
  readonly nextChanges?: ChangesPosition;
  /** Why the format cannot hold the records. */
  readonly problem?: string;
  /** How long encoding took; absent where nothing was encoded. */
  readonly encodeMs?: number;
}

const LIST_OPERATIONS = { securities: securitiesOperation, funds: fundsOperation };

const MAX_CACHED_TOTALS = 1_000;

/** Creates pages: reads records, counts them where requested, and encodes them. */
export function createPageReader(reader: StoreReader, findDataset: (name: string) => Dataset) {
  const countTotal = memoizeAsync(
    MAX_CACHED_TOTALS,
    (selection: Selection) => JSON.stringify({ ...selection, dataset: selection.dataset.name }),
    async (selection) => {
      const { total = 0 } = await reader.read({ ...selection, includeTotal: true });
      return total;
    },
  );
  const readSelection = (job: SelectionJob, dataset: Dataset): Awaitable<ReadResult> => {
    const selection = { ...job.selection, dataset } as Selection;
    const read = reader.read({ ...selection, asNdjson: job.format !== 'json' });
    if (!job.includeTotal) return read;
    return whenReady(read, (result) =>
      whenReady(countTotal(withoutPage(selection, result.revision)), (total) => ({
        ...result,
        total,
      })),
    );
  };
  const readList = async ({ list, asOf, format }: ListJob, dataset: Dataset) => {
    const { revision, entries } = await reader[list](dataset, asOf);
    const texts = (entries as readonly object[]).map((entry) => JSON.stringify(entry));
    const records = texts.join(format === 'json' ? ',' : '\n');
    return { revision, count: entries.length, records };
  };
  const readFigures = createFigureReader(reader);
  const createChangesPage = async (
    { changes, format }: ChangesJob,
    dataset: Dataset,
    client: PageClient,
  ): Promise<Page> => {
    const { revision, texts, next } = await readChanges(reader, dataset, changes, client.signal);
    const records = texts.join(format === 'json' ? ',' : '\n');
    const result = { revision, count: texts.length, records };
    const source = { name: `${dataset.name}-changes`, changesOf: dataset };
    const page = await encodePage(source, format, result, client);
    return next ? { ...page, nextChanges: next } : page;
  };
  return (job: PageJob, client: PageClient): Awaitable<Page> => {
    const dataset = findDataset(job.dataset);
    if ('changes' in job) return createChangesPage(job, dataset, client);
    if ('curve' in job || 'analytics' in job) {
      return readFigures(job, dataset, client.signal).then(({ source, result }) =>
        encodePage(source, job.format, result, client),
      );
    }
    return 'list' in job
      ? whenReady(readList(job, dataset), (result) =>
          encodePage(LIST_OPERATIONS[job.list], job.format, result, client),
        )
      : whenReady(readSelection(job, dataset), (result) =>
          job.fields
            ? encodeFields(dataset, job, job.fields, result, client)
            : encodePage(dataset, job.format, result, client),
        );
  };
}

/** Every page, and every limit, has the same total. */
function withoutPage(selection: Selection, revision: number): Selection {
  const { after: _, ...all } = { after: undefined, ...selection, limit: 1, asOf: revision };
  return all as Selection;
}

/** A page of records with only some of their fields. */
async function encodeFields(
  dataset: Dataset,
  { format }: SelectionJob,
  fields: readonly string[],
  result: ReadResult,
  client: PageClient,
): Promise<Page> {
  // Formats with columns take them from the fields of the dataset.
  const isReduced = format === 'ndjson' && result.count > 0;
  const records = isReduced
    ? result.records.split('\n').map((record) => selectRecordFields(record, fields))
    : [result.records];
  const source = selectFields(dataset, fields);
  const page = await encodePage(source, format, { ...result, records: records.join('\n') }, client);
  return { ...page, contentHash: `${page.contentHash} ${fields}` };
}

function encodePage(
  source: RecordSource,
  format: ResponseFormatName,
  { records, ...result }: ReadResult,
  client: PageClient,
): Awaitable<Page> {
  const contentHash = Bun.hash.xxHash3(records).toString(36);
  const page = { ...result, contentHash };
  if (isFund(source) && result.count === 0) return { ...page, body: null };
  if (format === 'json') return { ...page, body: wrapInEnvelope(source, records) };
  const texts = result.count === 0 ? [] : records.split('\n');
  return encodeFile(source, format, { texts, page, signal: client.signal });
}

async function encodeFile(
  source: RecordSource,
  format: Exclude<ResponseFormatName, 'json'>,
  { texts, page, signal }: { texts: string[]; page: Omit<Page, 'body'>; signal: AbortSignal },
): Promise<Page> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const startedMs = performance.now();
  try {
    for await (const chunk of encodeRecords(source, format, texts, signal))
      chunks.push(chunk as Uint8Array<ArrayBuffer>);
  } catch (cause) {
    if (signal.aborted) throw new AbandonedError();
    if (!(cause instanceof EncodingError)) throw cause;
    return { ...page, body: null, problem: cause.message };
  }
  return { ...page, body: new Blob(chunks), encodeMs: performance.now() - startedMs };
}

const MAX_TEXT_CHARACTERS = 131_072;

/** Long records become parts of a blob: joining them first would copy megabytes. */
function wrapInEnvelope(source: RecordSource, records: string): ResponseBody {
  const [open, close] = isFund(source) ? ['', ''] : ['[', ']'];
  const message = 'hasMessage' in source && source.hasMessage ? '"message":"",' : '';
  const parts = [`{"status":"ok",${message}"data":${open}`, records, `${close}}`];
  return records.length > MAX_TEXT_CHARACTERS ? new Blob(parts) : parts.join('');
}

function isFund(source: RecordSource): boolean {
  return 'shape' in source && source.shape === 'fund';
}
