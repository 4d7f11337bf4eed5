import type { Catalogue } from '../../catalogue/catalogues.ts';
import { datasets as datasetDeclarations } from '../../catalogue/datasets/datasets.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { ACCEPT_DATETIME, type AsOf, asOfParameter } from '../../catalogue/model/parameter.ts';
import { hasFlow, toFlowId } from '../../catalogue/model/sdmx-address.ts';
import type { View } from '../../http/freshness/newest-revision.ts';
import { HttpError } from '../../http/http-error.ts';
import { removeParameter, withMemento } from '../../http/pipeline/create-response.ts';
import {
  type Database,
  includeDeclaration,
  withHistoryHeaders,
} from '../../http/pipeline/database.ts';
import type { Exchange } from '../../http/pipeline/exchange.ts';
import { evaluatePreconditions } from '../../http/pipeline/finalize-response.ts';
import { assertNotOlder, findLastChangeOfAny } from '../../http/pipeline/read-parts.ts';
import { parseAcceptDatetime, resolveAsOf } from '../../http/pipeline/resolve-view.ts';
import type { CustomRoute } from '../../http/pipeline/route.ts';
import { negotiateEncoding } from '../../http/request/request-headers.ts';
import { createBaseHeaders } from '../../http/responses/cors.ts';
import {
  computeEtag,
  errorResponse,
  etagForEncoding,
  FORBIDDEN_RESPONSE,
  type HttpResponse,
  type LastModified,
  NOT_FOUND_RESPONSE,
  PRECONDITION_FAILED_RESPONSE,
} from '../../http/responses/response.ts';
import { DAMAGED_ERROR } from '../../http/scrub/known-damage.ts';
import type { StructureQuery } from '../../sdmx/artefacts.ts';
import { createFlow, NO_VALUES } from '../../sdmx/flow.ts';
import type { Message } from '../../sdmx/message-query.ts';
import { writeMessage } from '../../sdmx/write-message.ts';
import { memoizeByIdentity } from '../../shared/memoize.ts';
import { MessageStream, startMessage } from './message-stream.ts';
import { type DataAddress, parseAddress, type StructureAddress } from './parse-address.ts';
import { authenticateWithPassword } from './password.ts';
import { planData, planStructure } from './plan-message.ts';

/** Each holds a page of records. */
const MAX_STREAMS = 16;
const MAX_STREAMS_PER_TOKEN = 4;

/** Messages of SDMX about series, of one agency: structures and data. */
export function createSdmxRoute(agency: string): CustomRoute {
  const sender = new MessageSender();
  const getPublicFlow = memoizeByIdentity((dataset: Dataset) =>
    createFlow(dataset, agency, NO_VALUES),
  );

  async function respondWithStructure(
    exchange: Exchange,
    address: StructureAddress,
  ): Promise<HttpResponse> {
    const { database, headers, principal, target } = exchange;
    const planned = planStructure(address, target.parameters, headers.get('accept'));
    if (planned instanceof HttpError) return errorResponse(planned);
    const { view } = await findView(exchange, address.asOf, planned.asOf);
    if (view.error) return errorResponse(view.error);
    const datasets = view.catalogue.datasets.filter(hasFlow);
    // Code lists of others have what their declarations say, which are public.
    const licensed = datasets.filter(({ scope }) => principal.scopes.has(scope));
    const readable = hasCodeLists(planned.query) ? licensed : [];
    if (database.damage.covers(toNames(readable))) return errorResponse(DAMAGED_ERROR);
    const { name: format, contentType } = planned.format;
    const message: Message = {
      ...(await describeVersion(database, view, datasets)),
      agency,
      content: {
        kind: 'structure',
        query: { ...planned.query, format },
        datasets: toNames(datasets),
        readable: toNames(readable),
        licensed: toNames(licensed),
      },
    };
    // One that is retired leaves the list of all.
    const dated = [datasetDeclarations.name, ...toNames(datasets)];
    const modified = await findLastChangeOfAny(database, dated, view.revision);
    return sender.send(exchange, view, message, {
      contentType,
      datasets: toNames(readable),
      modified,
    });
  }

  async function respondWithData(exchange: Exchange, address: DataAddress): Promise<HttpResponse> {
    const { database, headers, principal, target } = exchange;
    const plan = planData(address, target.parameters, headers.get('accept'));
    if (plan instanceof HttpError) return errorResponse(plan);
    const { values } = plan;
    const { view, named } = await findView(exchange, address.asOf, values.asOf);
    if (view.error) return errorResponse(view.error);
    const dataset = findDataset(view.catalogue, address);
    if (!dataset) return errorResponse(createUnknownFlowError(address));
    if (!principal.scopes.has(dataset.scope)) return FORBIDDEN_RESPONSE;
    if (database.damage.covers([dataset.name])) return errorResponse(DAMAGED_ERROR);
    const query = plan.createQuery(getPublicFlow(dataset));
    if (query instanceof HttpError) return errorResponse(query);
    const since = values.updatedAfter && (await findRevision(database, values.updatedAfter));
    if (
      values.updatedAfter &&
      named &&
      isLater([values.updatedAfter, since], [named, view.revision])
    )
      return errorResponse(UPDATED_LATER);
    const { name: format, contentType } = plan.format;
    const message: Message = {
      ...(await describeVersion(database, view, [dataset])),
      agency,
      content: { kind: 'data', dataset: dataset.name, query: { ...query, since, format } },
    };
    const fileName = `${dataset.name}.${format === 'xml' ? 'xml' : 'csv'}`;
    const change = await database.findLastChange(dataset.name, view.revision);
    return sender.send(exchange, view, message, {
      contentType,
      datasets: [dataset.name],
      fileName,
      modified: includeDeclaration(change, dataset),
    });
  }

  function findDataset({ datasets }: Catalogue, { agencies, flow }: DataAddress) {
    if (agencies && !agencies.includes(agency)) return undefined;
    return datasets.find((dataset) => hasFlow(dataset) && toFlowId(dataset) === flow);
  }

  return {
    path: '/sdmx/{path}',
    authenticate: authenticateWithPassword,
    respond(exchange) {
      const address = parseAddress(exchange.target.path);
      if (!address) return NOT_FOUND_RESPONSE;
      return address.resource === 'data'
        ? respondWithData(exchange, address)
        : respondWithStructure(exchange, address);
    },
  };
}

const toNames = (datasets: readonly Dataset[]) => datasets.map(({ name }) => name);

function hasCodeLists({ kinds, references }: StructureQuery): boolean {
  const others = ['none', 'parents', 'ancestors', 'dataflow', 'datastructure', 'conceptscheme'];
  return kinds.includes('codelist') || !others.includes(references);
}

function createUnknownFlowError({ agencies = [], flow = '' }: DataAddress): HttpError {
  const name = [...agencies, flow].join(',').slice(0, MAX_NAMED_CHARACTERS);
  return new HttpError('no_such_flow', { flow: JSON.stringify(name) });
}

const MAX_NAMED_CHARACTERS = 100;

/** The view that the path names, or a parameter, or `Accept-Datetime`, or else the newest. */
async function findView(
  { database, headers }: Exchange,
  inPath: string | undefined,
  asOf: AsOf | undefined,
): Promise<{ readonly view: View; readonly named?: AsOf }> {
  const inAddress = inPath === undefined ? asOf : (asOfParameter.parse(inPath) ?? BAD_AS_OF_ERROR);
  const named = inAddress ?? parseAcceptDatetime(headers);
  const view = await resolveAsOf(database, named);
  return named === undefined || named instanceof HttpError ? { view } : { view, named };
}

type Named = readonly [asOf: AsOf, revision: number | undefined];

/** Whether what one name stands for is later than that of another: by instants, or else by revisions. */
function isLater([a, revision = 0]: Named, [b, otherRevision = 0]: Named): boolean {
  if ('instant' in a && 'instant' in b) return a.instant > b.instant;
  return revision > otherRevision;
}

const UPDATED_LATER = new HttpError('updated_later');

const BAD_AS_OF_ERROR = new HttpError('bad_value', {
  parameter: 'as-of',
  allowed: asOfParameter.requirement,
});

async function findRevision(
  { findRevisionAt }: Pick<Database, 'findRevisionAt'>,
  asOf: AsOf,
): Promise<number> {
  if ('revision' in asOf) return asOf.revision;
  return (await findRevisionAt(asOf.text, asOf.instant))?.revision ?? 0;
}

/** The revision of a message, and the last change of what it is made from. */
async function describeVersion(
  { findLastChange, newestRevision, reader }: Database,
  view: View,
  datasets: readonly Dataset[],
): Promise<Pick<Message, 'revision' | 'newest' | 'prepared'>> {
  await assertNotOlder(reader, view);
  let prepared = { revision: 0, publishedAt: new Date(0).toISOString() };
  for (const dataset of datasets) {
    const change = includeDeclaration(await findLastChange(dataset.name, view.revision), dataset);
    if (change && change.revision > prepared.revision) prepared = change;
  }
  const { revision, publishedAt } = prepared;
  return {
    revision: view.revision,
    newest: newestRevision.revision,
    prepared: { revision, publishedAt },
  };
}

/** The target without the revision or instant in its path and its parameters. */
function removeAsOf({ path, query }: Exchange['target']): string {
  const current = path.replace(/\/as-of\/[^/]+/, '');
  return removeParameter(removeParameter(`${current}?${query}`, 'as_of'), 'asOf');
}

interface SentMessage {
  readonly contentType: string;
  /** Those whose records it has. */
  readonly datasets: readonly string[];
  readonly fileName?: string;
  readonly modified: LastModified | undefined;
}

/** Sends messages: small ones whole, large ones while they are created. */
class MessageSender {
  /** The token of each large message that is being sent. */
  readonly #activeTokens: string[] = [];

  async send(
    exchange: Exchange,
    view: View,
    message: Message,
    { contentType, datasets, fileName, modified }: SentMessage,
  ): Promise<HttpResponse> {
    const { database, headers: requestHeaders, method, target } = exchange;
    const { revision: _, newest: __, ...stable } = message;
    const etag = computeEtag(JSON.stringify({ ...stable, contentType }), { suffix: 'sdmx' });
    const headers = createBaseHeaders({
      'Content-Type': contentType,
      ...(fileName !== undefined && { 'Content-Disposition': `inline; filename="${fileName}"` }),
      ETag: etag,
      ...(modified && { 'Last-Modified': new Date(modified.atMs).toUTCString() }),
      'Cache-Control': 'private, no-cache',
      'Tenor-Revision': String(view.revision),
      Vary: `Accept, Accept-Encoding, Authorization, ${ACCEPT_DATETIME}`,
    });
    const validators = { etag, ...(modified && { modified }) };
    const response = { headers, revision: view.revision, validators };
    const finish = (own: Pick<HttpResponse, 'status' | 'body'> & Partial<HttpResponse>) => {
      const { mementoDatetime } = view;
      const sent = { ...response, ...own };
      const dated = mementoDatetime ? withMemento(sent, mementoDatetime, removeAsOf(target)) : sent;
      return withHistoryHeaders(database, dated);
    };
    const encoding = negotiateEncoding(requestHeaders.get('accept-encoding'));
    const tags = [etag, ...(encoding ? [etagForEncoding(etag, encoding)] : [])];
    const outcomes = tags.map((tag) =>
      evaluatePreconditions(requestHeaders, { ...validators, etag: tag }),
    );
    const known = tags[outcomes.indexOf('unchanged')];
    if (known !== undefined)
      return finish({ status: 304, body: null, validators: { ...validators, etag: known } });
    // Before a stream begins, which nobody would end.
    if (!outcomes.includes('send')) return PRECONDITION_FAILED_RESPONSE;
    const chunks = this.#createChunks(exchange, message, datasets);
    const { head, rest } = await startMessage(chunks);
    if (head.length === 0) return errorResponse(NO_RESULTS, view.revision);
    if (!rest) {
      const body = new Blob(head as Uint8Array<ArrayBuffer>[]);
      return finish({ status: 200, body, isCompressible: true });
    }
    const stop = async () => void (await chunks.return(undefined));
    if (method === 'HEAD') {
      await stop();
      // Without this header Bun would say that the body is empty.
      headers.set('Transfer-Encoding', 'chunked');
      return finish({ status: 200, body: null });
    }
    const { id } = exchange.principal;
    if (this.#isFull(id)) {
      await stop();
      return TOO_MANY_RESPONSE;
    }
    this.#activeTokens.push(id);
    const { body: stream } = new MessageStream(rest, exchange.signal, async () => {
      this.#activeTokens.splice(this.#activeTokens.indexOf(id), 1);
      await stop();
    });
    return finish({ status: 200, body: null, stream });
  }

  #createChunks({ database, signal }: Exchange, message: Message, datasets: readonly string[]) {
    const { background } = database.scheduler;
    const { damage, reader, reportAllocatedBytes } = database;
    const create = async function* () {
      if (background) return yield* background.writeMessage(message, signal);
      const catalogue = await database.catalogues.prepare(message.revision);
      return yield* writeMessage(reader, catalogue, message, { signal, reportAllocatedBytes });
    };
    return damage.watchChunks(datasets, create());
  }

  #isFull(token: string): boolean {
    const ofToken = this.#activeTokens.filter((active) => active === token);
    return this.#activeTokens.length >= MAX_STREAMS || ofToken.length >= MAX_STREAMS_PER_TOKEN;
  }
}

const NO_RESULTS = new HttpError('no_results');
const TOO_MANY_RESPONSE = errorResponse(
  new HttpError('temporarily_unavailable', {}, { 'Retry-After': '10' }),
);
