import { encodeBase64 } from '../../../../clients/typescript/src/ledger/note.ts';
import type { ParameterValues } from '../../../catalogue/model/parameter.ts';
import {
  checkpointOperation,
  keysOperation,
  type OpenOperation,
  proofOperation,
  tileOperation,
} from '../../../catalogue/operations/ledger.ts';
import { memoizeByIdentity } from '../../../shared/memoize.ts';
import type { StoreReader } from '../../../store/open-store.ts';
import { HttpError } from '../../http-error.ts';
import { ANONYMOUS } from '../../pipeline/exchange.ts';
import type { CustomRoute, DataContext } from '../../pipeline/route.ts';
import { parseQuery } from '../../request/parse-query.ts';
import { matchPath, type RequestTarget } from '../../request/request-target.ts';
import { createBaseHeaders } from '../../responses/cors.ts';
import { computeEtag } from '../../responses/etag.ts';
import {
  createJsonHeaders,
  errorResponse,
  type HttpResponse,
  NOT_FOUND_RESPONSE,
} from '../../responses/response.ts';
import { LogReader } from './log-reader.ts';
import { parseTilePath } from './parse-tile-path.ts';

/** Another database has a log of its own. */
const getLog = memoizeByIdentity((reader: StoreReader) => new LogReader(reader));

/** The operations on digests of the ledger: open to all, with or without a token. */
export function createLedgerRoutes(): CustomRoute[] {
  return [
    createOpenRoute(checkpointOperation, async (data) => {
      const checkpoint = await findCheckpoint(data);
      if (!checkpoint) return NO_LOG_RESPONSE;
      const type = { 'Content-Type': 'text/plain; charset=utf-8' };
      const headers = createBaseHeaders({ ...type, 'Cache-Control': 'no-cache' });
      return taggedResponse(checkpoint.note, headers, checkpoint.size);
    }),
    createOpenRoute(tileOperation, respondWithTile),
    createOpenRoute(proofOperation, respondWithProof),
    createOpenRoute(keysOperation, async ({ reader }) => {
      const keys = await getLog(reader).keys();
      const key = keys.at(-1)?.key;
      if (key === undefined) return NO_LOG_RESPONSE;
      return jsonResponse({ origin: key.split('+')[0], key, keys });
    }),
  ];
}

type Respond = (data: DataContext, target: RequestTarget) => Promise<HttpResponse>;

function createOpenRoute({ path, parameters }: OpenOperation, respond: Respond): CustomRoute {
  return {
    path,
    parameters,
    authenticate: () => ANONYMOUS,
    respond: (data, _, target) => respond(data, target),
  };
}

/** Nothing older is sent after it, by no process of this server. */
async function findCheckpoint({ reader, newestRevision }: DataContext) {
  const checkpoint = await getLog(reader).checkpoint();
  if (checkpoint) await newestRevision.advanceTo(checkpoint.size);
  return checkpoint;
}

const TILE_HEADERS = {
  'Content-Type': 'application/octet-stream',
  'Cache-Control': 'public, max-age=31536000, immutable',
};
const TILE_PREFIX_LENGTH = tileOperation.path.indexOf('{');

async function respondWithTile({ reader }: DataContext, { path }: RequestTarget) {
  const tile = parseTilePath(path.slice(TILE_PREFIX_LENGTH));
  const bytes = tile && (await getLog(reader).tile(tile));
  if (!bytes) return NOT_FOUND_RESPONSE;
  const headers = createBaseHeaders(TILE_HEADERS);
  return { status: 200, body: new Blob([bytes]), headers, revision: null };
}

async function respondWithProof(data: DataContext, { path, query }: RequestTarget) {
  const revision = matchPath(proofOperation, path)?.n as number | undefined;
  if (revision === undefined) return NOT_FOUND_RESPONSE;
  const { from } = parseQuery(query, proofOperation.parameters) as ParameterValues<
    typeof proofOperation.parameters
  >;
  const checkpoint = await findCheckpoint(data);
  if (!checkpoint) return NO_LOG_RESPONSE;
  const { note, size } = checkpoint;
  if (revision > size) return NOT_FOUND_RESPONSE;
  if (from !== undefined && from > size) {
    const allowed = `a size that the log has had, from 1 to ${size}`;
    return errorResponse(new HttpError('bad_value', { parameter: 'from', allowed }));
  }
  const log = getLog(data.reader);
  const entry = encodeBase64(await log.entry(revision));
  const inclusion = (await log.proveInclusion(revision, size)).map(encodeBase64);
  const proof = { revision, checkpoint: note, entry, inclusion };
  if (from === undefined) return jsonResponse(proof, size);
  const consistency = (await log.proveConsistency(from, size)).map(encodeBase64);
  return jsonResponse({ ...proof, from, consistency }, size);
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
