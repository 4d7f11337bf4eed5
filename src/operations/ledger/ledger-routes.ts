import type { Operation } from '../../catalogue/model/operation.ts';
import { HttpError } from '../../http/http-error.ts';
import { type Database, withHistoryHeaders } from '../../http/pipeline/database.ts';
import { ANONYMOUS } from '../../http/pipeline/exchange.ts';
import type { CustomRoute } from '../../http/pipeline/route.ts';
import {
  findFirstValue,
  matchPath,
  type RequestTarget,
  type SentParameter,
} from '../../http/request/parse-query.ts';
import { createBaseHeaders } from '../../http/responses/cors.ts';
import {
  computeEtag,
  createJsonHeaders,
  errorResponse,
  type HttpResponse,
  NOT_FOUND_RESPONSE,
} from '../../http/responses/response.ts';
import { encodeBase64 } from '../../ledger/note.ts';
import { proveConsistency, proveInclusion } from '../../ledger/tree.ts';
import { memoizeByIdentity } from '../../shared/memoize.ts';
import { IncompleteLogError, LogReader, TILE_WIDTH, type Tile } from '../../store/log-reader.ts';
import type { StoreReader } from '../../store/open-store.ts';
import {
  checkpointOperation,
  keysOperation,
  proofOperation,
  tileOperation,
} from './ledger-operations.ts';

/** Another database has a log of its own. */
const getLog = memoizeByIdentity((reader: StoreReader) => new LogReader(reader));

/** The operations on digests of the ledger: open to all, with or without a token. */
export function createLedgerRoutes(): CustomRoute[] {
  return [
    createOpenRoute(checkpointOperation, respondWithCheckpoint),
    createOpenRoute(tileOperation, respondWithTile),
    createOpenRoute(proofOperation, respondWithProofIfComplete),
    createOpenRoute(keysOperation, respondWithKeys),
  ];
}

type Respond = (database: Database, target: RequestTarget) => Promise<HttpResponse>;

function createOpenRoute({ path, parameters }: Operation, respond: Respond): CustomRoute {
  return {
    path,
    parameters,
    authenticate: () => ANONYMOUS,
    respond: ({ database, target }) => respond(database, target),
  };
}

async function respondWithCheckpoint(database: Database, { parameters }: RequestTarget) {
  const checkpoint = await findCheckpoint(database);
  if (!checkpoint) return NO_LOG_RESPONSE;
  const size = parseSize(parameters, 'size') ?? checkpoint.size;
  if (size > checkpoint.size) return createSizeError('size', checkpoint.size);
  // A key that was replaced has signed the newest one again, so that older ones stay as they are.
  const note = size < checkpoint.size ? await database.reader.checkpoint(size) : checkpoint.note;
  if (note === undefined) return NO_LOG_RESPONSE;
  const type = { 'Content-Type': 'text/plain; charset=utf-8' };
  const headers = createBaseHeaders({ ...type, 'Cache-Control': 'no-cache' });
  return withHistoryHeaders(database, taggedResponse(note, headers, size));
}

/** Undefined if it is not given; it is valid, but may be above the size of the log. */
function parseSize(sent: readonly SentParameter[], parameter: string): number | undefined {
  const text = findFirstValue(sent, parameter);
  return text === undefined ? undefined : Number(text);
}

function createSizeError(parameter: string, size: number): HttpResponse {
  const allowed = `a size that the log has had, from 1 to ${size}`;
  return errorResponse(new HttpError('bad_value', { parameter, allowed }));
}

/** Nothing older is sent after it, by no process of this server. */
async function findCheckpoint({ reader, newestRevision }: Database) {
  const checkpoint = await getLog(reader).checkpoint();
  if (checkpoint) await newestRevision.advanceTo(checkpoint.size);
  return checkpoint;
}

const TILE_HEADERS = {
  'Content-Type': 'application/octet-stream',
  'Cache-Control': 'public, max-age=31536000, immutable',
};

async function respondWithTile({ reader }: Database, { path }: RequestTarget) {
  const tile = parseTilePath(path.slice(tileOperation.path.indexOf('{')));
  const bytes = tile && (await getLog(reader).readTile(tile));
  if (!bytes) return NOT_FOUND_RESPONSE;
  const headers = createBaseHeaders(TILE_HEADERS);
  return { status: 200, body: new Blob([bytes]), headers, revision: null };
}

/** Verifiers notice that there is none. */
const respondWithProofIfComplete: Respond = (database, target) =>
  respondWithProof(database, target).catch((cause) => {
    if (cause instanceof IncompleteLogError) return NOT_FOUND_RESPONSE;
    throw cause;
  });

async function respondWithProof(database: Database, { path, parameters }: RequestTarget) {
  const revision = matchPath(proofOperation, path)?.n as number | undefined;
  const checkpoint = await findCheckpoint(database);
  if (!checkpoint) return NO_LOG_RESPONSE;
  const { note, size } = checkpoint;
  if (revision === undefined || revision > size) return NOT_FOUND_RESPONSE;
  const { readEntry, readHash } = getLog(database.reader);
  const entry = encodeBase64(await readEntry(revision));
  const inclusion = await proveInclusion(revision - 1, size, readHash);
  const proof = { revision, checkpoint: note, entry, inclusion: inclusion.map(encodeBase64) };
  const from = parseSize(parameters, 'from');
  if (from === undefined) return jsonResponse(proof, size);
  if (from > size) return createSizeError('from', size);
  const consistency = await proveConsistency(from, size, readHash);
  return jsonResponse({ ...proof, from, consistency: consistency.map(encodeBase64) }, size);
}

async function respondWithKeys({ reader }: Database): Promise<HttpResponse> {
  const keys = await getLog(reader).keys();
  const key = keys.at(-1)?.key;
  if (key === undefined) return NO_LOG_RESPONSE;
  return jsonResponse({ origin: key.split('+')[0], key, keys });
}

function jsonResponse(data: object, revision: number | null = null): HttpResponse {
  const json = JSON.stringify({ status: 'ok', data });
  return taggedResponse(json, createJsonHeaders('no-cache'), revision);
}

function taggedResponse(body: string, headers: Headers, revision: number | null): HttpResponse {
  const etag = computeEtag(body);
  headers.set('ETag', etag);
  if (revision !== null) headers.set('Tenor-Revision', String(revision));
  return { status: 200, body, headers, revision, validators: { etag } };
}

const NO_LOG_RESPONSE = errorResponse(new HttpError('no_log'));

/** The first of several groups is not zero, and more than five would be no exact number. */
const TILE_PATTERN =
  /^(entries|[0-9]|[1-5]\d|6[0-3])\/((?:x(?!000)\d{3}\/(?:x\d{3}\/){0,3})?\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/** The tile of a path; undefined if no tile has it, or if it is not written as it should be. */
export function parseTilePath(path: string): Tile | undefined {
  const [, kind, groups = '', partialWidth] = TILE_PATTERN.exec(path) ?? [];
  const width = Number(partialWidth ?? TILE_WIDTH);
  // A full tile is not to be named by its width.
  if (kind === undefined || (partialWidth && width >= TILE_WIDTH)) return undefined;
  const hasEntries = kind === 'entries';
  const index = Number(groups.replaceAll(/\D/g, ''));
  return { level: hasEntries ? 0 : Number(kind), hasEntries, index, width };
}
