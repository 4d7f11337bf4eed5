import { ACCEPT_DATETIME } from '../catalogue/accept-datetime.ts';
import type { Dataset } from '../catalogue/dataset.ts';
import type { Operation } from '../catalogue/operation.ts';
import { StoreUnavailable } from '../store/index.ts';
import type { Holder } from '../tokens/keyring.ts';
import type { Answer } from './answer.ts';
import {
  ALLOWED_METHODS,
  dataAnswer,
  FORBIDDEN,
  NOT_FOUND,
  optionsAnswer,
  refusalAnswer,
} from './answer.ts';
import { authorize } from './authorize.ts';
import { isRefusal, refuse } from './failures.ts';
import type { Service } from './needs.ts';
import { pastAnswer } from './past.ts';
import { plan } from './plan.ts';
import { requestIdOf } from './request-id.ts';
import type { Target } from './target.ts';
import { targetIn } from './target.ts';

/** A path and what stands behind it: a dataset, an operation, or a document that is open to all. */
export type Route = DatasetRoute | OperationRoute | DocumentRoute;

export interface DatasetRoute {
  readonly path: string;
  readonly dataset: Dataset;
}

export interface OperationRoute {
  readonly path: string;
  readonly operation: Operation;
  /** What it answers to whom, once the token is accepted and within its rate. */
  answer(
    service: Service,
    holder: Holder,
    target: Target,
    request: Request,
  ): Answer | Promise<Answer>;
}

export interface DocumentRoute {
  readonly path: string;
  readonly document: Answer;
}

/** One request on its way. */
interface Visit {
  readonly service: Service;
  readonly request: Request;
  readonly method: string;
  /** Absent where no route has the path. */
  readonly route: Route | undefined;
  readonly requestId: string;
  readonly startedMs: number;
  /** Known once the token is accepted. */
  holder: Holder | undefined;
}

/** Answers a request, whatever happens on its way. Without a route the path is unknown. */
export function handle(
  service: Service,
  request: Request,
  route?: Route,
): Response | Promise<Response> {
  const startedMs = performance.now();
  const requestId = requestIdOf(request);
  const { method } = request;
  const visit: Visit = { service, request, method, route, requestId, startedMs, holder: undefined };
  try {
    const answer = follow(visit);
    if (!(answer instanceof Promise)) return respond(visit, answer);
    return answer.catch((cause) => broken(visit, cause)).then((read) => respond(visit, read));
  } catch (cause) {
    return respond(visit, broken(visit, cause));
  }
}

/** The whole line, in order: path, method, token, rate, plan, read, answer. */
function follow(visit: Visit): Answer | Promise<Answer> {
  const { service, request, method, route } = visit;

  if (!route) return NOT_FOUND;
  if (method === 'OPTIONS') return OPTIONS;
  if (method !== 'GET' && method !== 'HEAD') return INVALID_METHOD;
  if ('document' in route) return route.document;

  const holder = authorize(request.headers.get('authorization'), service.keyring);
  if (isRefusal(holder)) return refusalAnswer(holder);
  visit.holder = holder;
  if ('dataset' in route && !holder.scopes.has(route.dataset.scope)) return FORBIDDEN;

  const limited = service.limit(holder);
  if (limited) return refusalAnswer(limited);

  const { url } = request;
  if ('operation' in route) return route.answer(service, holder, targetIn(url), request);

  const { dataset, path } = route;
  const target = url.slice(url.indexOf(path));
  const instant = request.headers.get(ACCEPT_DATETIME);
  const known = instant === null ? service.memory.get(target) : undefined;
  if (known) return known;

  const selection = plan(dataset, target.slice(path.length + 1));
  if (isRefusal(selection)) return refusalAnswer(selection);
  if (instant !== null) return pastAnswer(service, target, selection, instant);

  return service.reader.read(selection).then((reading) => {
    const answer = dataAnswer(dataset, reading);
    service.memory.keep(target, answer);
    service.collect(answer.body?.size ?? 0);
    return answer;
  });
}

/** The answer where something broke: the cause goes to the log with the request's id. */
function broken({ service, requestId }: Visit, cause: unknown): Answer {
  if (cause instanceof StoreUnavailable) {
    service.emit({ event: 'store.unavailable', requestId, cause: cause.message });
    return refusalAnswer(refuse('temporarily_unavailable', {}, { 'Retry-After': '1' }));
  }
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  service.emit({ event: 'request.failed', requestId, cause: text });
  return refusalAnswer(refuse('internal_error'));
}

function respond(visit: Visit, { status, body, headers, revision }: Answer): Response {
  const { service, method, route, requestId, startedMs, holder } = visit;
  // A response copies its headers when it is made, so one set can serve every reply in turn.
  headers.set('X-Request-Id', requestId);
  const response = new Response(body, { status, headers });
  const isHead = method === 'HEAD';
  // Bun dates every reply but this one.
  if (isHead) response.headers.set('Date', new Date().toUTCString());
  service.emit({
    event: 'request',
    requestId,
    token: holder?.id ?? null,
    method,
    route: route?.path ?? null,
    status,
    bytes: isHead ? 0 : (body?.size ?? 0),
    ms: Math.round((performance.now() - startedMs) * 1_000) / 1_000,
    revision,
  });
  return response;
}

const INVALID_METHOD = refusalAnswer(refuse('invalid_method', {}, { Allow: ALLOWED_METHODS }));
const OPTIONS = optionsAnswer();
