import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { Operation } from '../../catalogue/model/operation.ts';
import {
  ACCEPT_DATETIME,
  type AsOf,
  acceptDatetime,
  asOfParameter,
} from '../../catalogue/model/parameter.ts';
import { LEDGER } from '../../check/check-ledger.ts';
import type { Awaitable } from '../../shared/awaitable.ts';
import type { Revision, StoreReader } from '../../store/open-store.ts';
import {
  MISSING_REVISION_ERROR,
  REQUIRED_REVISION_HEADER,
  type View,
} from '../freshness/newest-revision.ts';
import { HttpError } from '../http-error.ts';
import type { CursorRevision } from '../request/cursor-codec.ts';
import { findFirst, type SentParameter } from '../request/parse-query.ts';
import { DAMAGED_ERROR } from '../scrub/known-damage.ts';
import type { Database, StoreLookups } from './database.ts';

/** A request, as far as it names a view. */
interface NamingRequest {
  readonly headers: Headers;
  readonly target: { readonly parameters: readonly SentParameter[] };
}

/** The route of the newest view: a parameter that it does not take names nothing. */
interface NamingRoute {
  readonly dataset?: Pick<Dataset, 'parameters'>;
  readonly operation?: Pick<Operation, 'parameters'>;
  readonly isAlwaysCurrent?: boolean;
}

/** The view of a request: of its cursor, `until`, `as_of`, `Accept-Datetime`, or else the newest. */
export function resolveView(
  database: Database,
  request: NamingRequest,
  route: NamingRoute = {},
): Awaitable<View> {
  const names = readNames(database, request, route);
  if (names) return resolveNames(database, names);
  // Most requests are for the newest data.
  return database.getNewestView() ?? prepareNewestView(database);
}

/** The view of an instant or a revision that is parsed already; the newest without one. */
export function resolveAsOf(database: Database, asOf: AsOf | HttpError | undefined): Promise<View> {
  return resolveNames(database, { cursor: undefined, until: undefined, asOf });
}

async function resolveNames(database: Database, names: ViewNames): Promise<View> {
  const newest = database.getNewestView() ?? (await prepareNewestView(database));
  const named = await resolveNamedView(database, names, newest);
  return named instanceof HttpError ? { ...newest, error: named } : named;
}

/** Whether a request names another revision than the newest, which may have other routes. */
export function namesRevision({ headers, target }: NamingRequest): boolean {
  return (
    headers.has(REQUIRED_REVISION_HEADER) ||
    headers.has(ACCEPT_DATETIME) ||
    target.parameters.some(({ name }) => NAMING_PARAMETERS.has(name ?? ''))
  );
}

const NAMING_PARAMETERS = new Set(['as_of', 'cursor', 'until']);

async function prepareNewestView({ catalogues, newestRevision }: Database): Promise<View> {
  const { revision } = newestRevision;
  // None is known if the store could not be read yet: reading says why.
  if (revision < 0) return { revision, catalogue: catalogues.current, namedBy: 'nothing' };
  return { revision, catalogue: await catalogues.prepare(revision), namedBy: 'nothing' };
}

interface ViewNames {
  readonly cursor: CursorRevision | undefined;
  readonly until: number | undefined;
  readonly asOf: AsOf | HttpError | undefined;
}

/** Whatever names a revision; undefined if nothing does. Errors of parameters come when they are parsed. */
function readNames(
  { cursors }: Database,
  { headers, target }: NamingRequest,
  { dataset, operation, isAlwaysCurrent }: NamingRoute,
): ViewNames | undefined {
  const { parameters } = dataset ?? operation ?? {};
  const find = (name: string) =>
    !parameters || Object.hasOwn(parameters, name) ? findFirst(target.parameters, name) : undefined;
  const [cursor, until, asOf] = [find('cursor'), find('until'), find('as_of')];
  const instant = asOf || isAlwaysCurrent ? undefined : parseAcceptDatetime(headers);
  if (!cursor && !until && !asOf && !instant) return undefined;
  return {
    cursor: cursor && cursors.readRevision(cursor.value ?? cursor.rawValue),
    until: /^[1-9]\d{0,9}$/.test(until?.value ?? '') ? Number(until?.value) : undefined,
    asOf: asOf ? asOf.parse(asOfParameter) : instant,
  };
}

async function resolveNamedView(
  database: Database,
  { cursor, until, asOf }: ViewNames,
  newest: View,
): Promise<View | HttpError> {
  const { catalogues, damage, findRevision, newestRevision } = database;
  const cursorError = cursor && (await findCursorError(database, cursor));
  if (cursorError) return cursorError;
  if (asOf && damage.covers([LEDGER])) return DAMAGED_ERROR;
  const requested =
    asOf && !(asOf instanceof HttpError) ? await resolveRequestedRevision(database, asOf) : asOf;
  if (requested instanceof HttpError) return requested;
  const last = requested ? (requested.revision?.revision ?? 0) : newest.revision;
  if (requested && cursor && last < cursor.revision) return LATER_CURSOR_ERROR;
  // An `until` that is later is an error of what reads it.
  const revision = cursor?.revision ?? (until === undefined || until > last ? last : until);
  if (!requested && revision === newest.revision)
    return cursor ? { ...newest, namedBy: 'cursor' } : newest;
  // Another process has published it just now: nothing older is sent after it.
  if (revision > newest.revision) await newestRevision.advanceTo(revision);
  const catalogue = damage.covers([LEDGER])
    ? newest.catalogue
    : (catalogues.at(revision) ?? (await catalogues.prepare(revision)));
  if (!requested) return { revision, catalogue, namedBy: cursor ? 'cursor' : 'until' };
  const published = revision === last ? requested.revision : await findRevision(revision);
  return {
    revision,
    catalogue,
    namedBy: requested.isPinned ? 'number' : 'instant',
    mementoDatetime: published ? new Date(published.publishedAt) : requested.mementoDatetime,
  };
}

/**
 * The error of a cursor whose revision is not that of the first page: if revisions were lost,
 * others of their numbers may have been published, and some workers may know these, and some those.
 */
async function findCursorError(
  { findRevision, reader }: Database,
  { revision, publishedMs }: CursorRevision,
): Promise<HttpError | undefined> {
  // Before the first revision there is nothing that another database could have otherwise.
  if (revision === 0) return undefined;
  const found = await findRevision(revision);
  if (found && [0, Date.parse(found.publishedAt)].includes(publishedMs)) return undefined;
  // Unlike a file, a database server that has it may be out of reach.
  return !found && reader.servers().length > 0 ? MISSING_REVISION_ERROR : BAD_CURSOR_ERROR;
}

const BAD_CURSOR_ERROR = new HttpError('bad_cursor');
/** A cursor of a later revision than the requested one. */
const LATER_CURSOR_ERROR = new HttpError('later_cursor');

interface RequestedRevision {
  /** Undefined before the first one. */
  readonly revision: Revision | undefined;
  /** When the revision was published, or the requested instant before the first one. */
  readonly mementoDatetime: Date;
  /** Whether the request names it by number, so that its response never changes. */
  readonly isPinned: boolean;
}

/** The instant that `Accept-Datetime` names; undefined if it is absent. */
export function parseAcceptDatetime(headers: Headers): AsOf | HttpError | undefined {
  const header = headers.get(ACCEPT_DATETIME);
  if (header === null) return undefined;
  const instant = acceptDatetime.parse(header);
  return instant ? { instant, text: header } : INVALID_DATETIME_ERROR;
}

/** An error if there is no revision of that number. */
async function resolveRequestedRevision(
  { reader, findRevision, findRevisionAt }: RevisionFinder,
  asOf: AsOf,
): Promise<RequestedRevision | HttpError> {
  if ('instant' in asOf) {
    const revision = await findRevisionAt(asOf.text, asOf.instant);
    const mementoDatetime = revision ? new Date(revision.publishedAt) : asOf.instant;
    return { revision, mementoDatetime, isPinned: false };
  }
  const revision = await findRevision(asOf.revision);
  if (!revision) return new HttpError('no_such_revision', { newest: `${await reader.revision()}` });
  return { revision, mementoDatetime: new Date(revision.publishedAt), isPinned: true };
}

interface RevisionFinder extends Pick<StoreLookups, 'findRevision' | 'findRevisionAt'> {
  readonly reader: Pick<StoreReader, 'revision'>;
}

/** The error of an `Accept-Datetime` that is no instant. */
const INVALID_DATETIME_ERROR = new HttpError('bad_header', {
  header: ACCEPT_DATETIME,
  allowed: acceptDatetime.requirement,
});
