import type { Dataset } from '../catalogue/dataset.ts';
import type { Emit } from '../events.ts';
import type { Reader } from '../store/index.ts';
import { StoreUnavailable } from '../store/index.ts';
import type { Holder, Keyring } from '../tokens/keyring.ts';
import type { Answer } from './answer.ts';
import { ALLOWED_METHODS, dataAnswer, optionsAnswer, refusalAnswer } from './answer.ts';
import { authorize } from './authorize.ts';
import { isRefusal, refuse } from './failures.ts';
import type { Memory } from './memory.ts';
import { plan } from './plan.ts';
import type { RateLimit } from './rate-limit.ts';
import { requestIdOf } from './request-id.ts';

/** What a request needs on its way. */
export interface Service {
  readonly reader: Reader;
  readonly keyring: Keyring;
  readonly limit: RateLimit;
  readonly memory: Memory;
  readonly emit: Emit;
}

/** A path and what stands behind it: a dataset, or a document that is open to all. */
export type Route = { readonly path: string } & (
  | { readonly dataset: Dataset }
  | { readonly document: Answer }
);

/** Answers a request, whatever happens on its way. Without a route the path is unknown. */
export function handle(
  service: Service,
  request: Request,
  route?: Route,
): Response | Promise<Response> {
  const visit = { request, route, startedMs: performance.now(), requestId: requestIdOf(request) };
  const failed = (cause: unknown) => respond(service, visit, faultAnswer(service, visit, cause));
  try {
    const response = follow(service, visit);
    return response instanceof Promise ? response.catch(failed) : response;
  } catch (cause) {
    return failed(cause);
  }
}

interface Visit {
  readonly request: Request;
  readonly route: Route | undefined;
  readonly startedMs: number;
  readonly requestId: string;
}

/** The whole line, in order: path, method, token, rate, plan, read, answer. */
function follow(service: Service, visit: Visit): Response | Promise<Response> {
  const { request, route } = visit;
  const { method, url } = request;
  const reply = (answer: Answer, holder?: Holder) => respond(service, visit, answer, holder);

  if (!route) return reply(NOT_FOUND);
  if (method === 'OPTIONS') return reply(OPTIONS);
  if (method !== 'GET' && method !== 'HEAD') return reply(INVALID_METHOD);
  if ('document' in route) return reply(route.document);

  const { dataset, path } = route;
  const authorization = request.headers.get('authorization');
  const holder = authorize(authorization, dataset.scope, service.keyring);
  if (isRefusal(holder)) return reply(refusalAnswer(holder));

  const limited = service.limit(holder);
  if (limited) return reply(refusalAnswer(limited), holder);

  const target = url.slice(url.indexOf(path));
  const known = service.memory.get(target);
  if (known) return reply(known, holder);

  const selection = plan(dataset, target.slice(path.length + 1));
  if (isRefusal(selection)) return reply(refusalAnswer(selection), holder);

  return service.reader.read(selection).then((reading) => {
    const answer = dataAnswer(dataset, reading);
    service.memory.keep(target, answer);
    return reply(answer, holder);
  });
}

/** The answer where something broke: the cause goes to the log with the request's id. */
function faultAnswer({ emit }: Service, { requestId }: Visit, cause: unknown): Answer {
  if (cause instanceof StoreUnavailable) {
    emit({ event: 'store.unavailable', requestId, cause: cause.message });
    return refusalAnswer(refuse('temporarily_unavailable', {}, { 'Retry-After': '1' }));
  }
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  emit({ event: 'request.failed', requestId, cause: text });
  return refusalAnswer(refuse('internal_error'));
}

function respond(service: Service, visit: Visit, answer: Answer, holder?: Holder): Response {
  const { request, route, startedMs, requestId } = visit;
  const { status, body, headers, revision } = answer;
  // A response copies its headers when it is made, so one set can serve every reply in turn.
  headers.set('X-Request-Id', requestId);
  const response = new Response(body, { status, headers });
  const isHead = request.method === 'HEAD';
  // Bun dates every reply but this one.
  if (isHead) response.headers.set('Date', new Date().toUTCString());
  service.emit({
    event: 'request',
    requestId,
    token: holder?.id ?? null,
    method: request.method,
    route: route?.path ?? null,
    status,
    bytes: isHead ? 0 : (body?.byteLength ?? 0),
    ms: Math.round((performance.now() - startedMs) * 1_000) / 1_000,
    revision,
  });
  return response;
}

const NOT_FOUND = refusalAnswer(refuse('not_found'));
const INVALID_METHOD = refusalAnswer(refuse('invalid_method', {}, { Allow: ALLOWED_METHODS }));
const OPTIONS = optionsAnswer();
