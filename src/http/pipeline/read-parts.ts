import type { Awaitable } from '../../shared/awaitable.ts';
import { type StoreReader, StoreUnavailableError } from '../../store/open-store.ts';
import type { RecordSource } from '../../tabular/encode-records.ts';
import type { ResponseParts } from '../background/background-work.ts';
import type { View } from '../freshness/newest-revision.ts';
import { HttpError } from '../http-error.ts';
import {
  type EncodedPage,
  encodePage,
  type PageRecords,
  type WaitingClient,
} from '../responses/encode-page.ts';
import { type LastChange, weighBody } from '../responses/response.ts';
import { createPaginationLinks } from './create-response.ts';
import { type Database, includeDeclaration } from './database.ts';
import type {
  DataRoute,
  JsonResult,
  OperationQuery,
  OperationRequest,
  OperationResult,
  PageQuery,
  PlannedRequest,
} from './route.ts';

/** The query of a request. A missing record is told before an unavailable view. */
export function parseRequest(
  route: DataRoute,
  request: OperationRequest,
  { error }: Pick<View, 'error'>,
): OperationQuery | HttpError {
  const query = route.parse(request);
  if (!error || query instanceof HttpError) return query;
  if (!query.missing) return error;
  const missing = { errorIfFound: error, ...query.missing };
  return {
    ...query,
    missing: error.status === 503 ? { ...missing, errorIfMissing: error } : missing,
  };
}

/** Reads what a request selects as of its view: the parts of its response, the same on every thread. */
export async function readParts(
  database: Database,
  request: PlannedRequest,
  client: WaitingClient,
): Promise<ResponseParts> {
  const { route, query, view } = request;
  const { reader, damage } = database;
  // Before any is known, this says why; the ledger is never read as of a revision.
  if (view.revision < 0 || route.isAlwaysCurrent) await assertNotOlder(reader, view);
  const reading = route.read(query, { view, reader, damage, client });
  const result = reading instanceof Promise ? await reading : reading;
  if (result instanceof HttpError) return { error: result, cost: 1 };
  if ('records' in result) return readPage(database, request, result as PageRecords, client);
  const { nextPosition: _, datasets, ...json } = result as JsonResult;
  return {
    json,
    datasets,
    links: result.nextPosition && (await createLinks(database, request, result)),
    ...(await readInstants(database, request, result)),
    cost: route.cost(query, result),
  };
}

/** Throws if a file was overwritten by an older copy, or if a server is in the place of another one. */
export async function assertNotOlder(
  reader: Pick<StoreReader, 'revision'>,
  { revision }: Pick<View, 'revision'>,
): Promise<void> {
  const newest = await reader.revision();
  if (revision < 0) throw new StoreUnavailableError('its revisions are not known yet');
  if (newest < revision)
    throw new StoreUnavailableError(`the newest revision is ${newest}, not ${revision} any more`);
}

async function readPage(
  database: Database,
  request: PlannedRequest,
  records: PageRecords,
  client: WaitingClient,
): Promise<ResponseParts> {
  const { route, target, view } = request;
  const query = request.query as PageQuery;
  const { format } = query;
  const { source = query.source, hasRequestedFields, isOfRange } = records;
  const page =
    format === 'json' || (isFund(source) && records.count === 0)
      ? encodeJson(source, records)
      : await encodePage(
          database.reader,
          {
            ...query,
            format,
            source,
            fields: hasRequestedFields ? undefined : query.fields,
            target,
            asOf: isOfRange ? undefined : getAsOf(view),
          },
          records,
          client,
        );
  database.reportAllocatedBytes(weighBody(page.body));
  // A file that was overwritten by an older copy, or a server in the place of another one.
  if (page.revision < view.revision && !isOfRange)
    throw new StoreUnavailableError(
      `what was read is of revision ${page.revision}, not ${view.revision}`,
    );
  const { errorIfFound, errorIfMissing } = query.missing ?? {};
  const error = page.count > 0 ? errorIfFound : errorIfMissing;
  if (error) return { error, cost: 1 };
  // What depends on scopes describes the program as well: no date tells whether it is the same.
  const dated = route.getScopeKey ? [] : query.datasets;
  const change = await findLastChangeOfAny(database, dated, page.revision);
  return {
    page,
    modified: includeDeclaration(change, query.source),
    links: page.nextPosition && (await createLinks(database, request, page)),
    ...(await readInstants(database, request, page)),
    cost: route.cost(query, { ...page, searched: records.searched } as never),
  };
}

/** A page in the envelope of JSON; no body in any format if there is no such fund. */
function encodeJson(
  source: RecordSource,
  { records, revision, count, total, nextPosition }: PageRecords,
): EncodedPage {
  const contentHash = Bun.hash.xxHash3(records).toString(36);
  if (isFund(source) && count === 0) return { revision, count, total, contentHash, body: null };
  const [open, close] = isFund(source) ? ['', ''] : ['[', ']'];
  const message = 'hasMessage' in source && source.hasMessage ? '"message":"",' : '';
  const parts = [`{"status":"ok",${message}"data":${open}`, records, `${close}}`];
  // Long records become parts of a blob: joining them first would copy megabytes.
  const body =
    records.length > MAX_TEXT_CHARACTERS ? new Blob(parts) : `${parts[0]}${parts[1]}${parts[2]}`;
  return { revision, count, total, nextPosition, contentHash, body };
}

const MAX_TEXT_CHARACTERS = 131_072;

const isFund = (source: RecordSource) => 'shape' in source && source.shape === 'fund';

/** The revision that a request names; undefined if it is for the newest. */
export function getAsOf({ namedBy, revision }: View): number | undefined {
  return namedBy === 'nothing' ? undefined : revision;
}

/** The links to other pages, all of which are of the revision of the first one. */
async function createLinks(
  { cursors, findRevision }: Database,
  { target, query: { getCursorScope } }: PlannedRequest,
  { revision, nextPosition = [] }: OperationResult,
): Promise<string> {
  const found = await findRevision(revision);
  const publishedMs = found ? Date.parse(found.publishedAt) : 0;
  const cursor = cursors.encode(getCursorScope?.() ?? '', [revision, publishedMs, ...nextPosition]);
  return createPaginationLinks(target, cursor);
}

/** When the revision of a response was published, and the one that it leads on from. */
async function readInstants(
  { findRevision }: Database,
  { query: { since = 0 } }: PlannedRequest,
  { revision }: OperationResult,
): Promise<Pick<ResponseParts, 'publishedAt' | 'sincePublishedAt'>> {
  const { publishedAt } = (await findRevision(revision)) ?? {};
  if (since === 0) return { publishedAt };
  return { publishedAt, sincePublishedAt: (await findRevision(since))?.publishedAt };
}

/** The last change of several datasets; most records are of one. */
export function findLastChangeOfAny(
  database: Pick<Database, 'findLastChange'>,
  datasets: readonly string[],
  revision: number,
): Awaitable<LastChange | undefined> {
  const [first, ...others] = datasets;
  if (first === undefined || others.length > 0)
    return compareLastChanges(database, datasets, revision);
  return database.findLastChange(first, revision);
}

async function compareLastChanges(
  { findLastChange }: Pick<Database, 'findLastChange'>,
  datasets: readonly string[],
  revision: number,
): Promise<LastChange | undefined> {
  const changes = await Promise.all(datasets.map((dataset) => findLastChange(dataset, revision)));
  const [last, earlier] = changes
    .filter((change) => change !== undefined)
    .toSorted((a, b) => b.revision - a.revision);
  return last && { ...last, isAmbiguous: last.isAmbiguous || last.atMs === earlier?.atMs };
}
