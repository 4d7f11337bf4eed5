import { ACCEPT_DATETIME } from '../catalogue/accept-datetime.ts';
import { StoreUnavailable } from '../store/index.ts';
import type { Holder } from '../tokens/keyring.ts';
import type { Answer } from './answers/answer.ts';
import {
  ALLOWED_METHODS,
  FORBIDDEN,
  NOT_FOUND,
  optionsAnswer,
  refusalAnswer,
} from './answers/answer.ts';
import { atInstant } from './answers/at-instant.ts';
import { deliver } from './answers/deliver.ts';
import { keyOf, made } from './answers/read.ts';
import { remembered } from './answers/remembered.ts';
import { isRefusal, refuse } from './failures.ts';
import type { Allowance } from './limits/rate-limit.ts';
import { standing, tooMany, UNCHANGED_SAVES } from './limits/rate-limit.ts';
import type { Service } from './needs.ts';
import { authorize } from './request/authorize.ts';
import { isCountWanted, representationFor } from './request/negotiate.ts';
import { plan } from './request/plan.ts';
import { targetIn } from './request/target.ts';
import { requestIdOf } from './request-id.ts';
import type { Route } from './route.ts';

/** What is to be known of a connection, and done with it. */
interface Connections {
  requestIP(request: Request): { readonly address: string } | null;
  timeout(request: Request, seconds: number): void;
}

/** How long nothing can be sent of a stream until its client is given up as gone. */
const STREAM_SECONDS = 240;

/** One request on its way. */
interface Visit {
  readonly service: Service;
  readonly request: Request;
  readonly method: string;
  /** Absent where no route has the path. */
  readonly route: Route | undefined;
  readonly requestId: string;
  readonly startedMs: number;
  readonly server: Connections | undefined;
  /** Both are known once the token is accepted. */
  holder?: Holder;
  allowance?: Allowance | null;
}

/** Answers a request, whatever happens on its way. Without a route the path is unknown. */
export function handle(
  service: Service,
  request: Request,
  route?: Route,
  server?: Connections,
): Response | Promise<Response> {
  const startedMs = performance.now();
  const requestId = requestIdOf(request);
  const { method } = request;
  const visit: Visit = { service, request, method, route, requestId, startedMs, server };
  try {
    const answer = follow(visit);
    const sent =
      answer instanceof Promise ? answer.then((a) => sending(visit, a)) : sending(visit, answer);
    if (!(sent instanceof Promise)) return respond(visit, sent);
    return sent.catch((cause) => broken(visit, cause)).then((made) => respond(visit, made));
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
  if ('document' in route) return route.document();

  const { headers, url } = request;
  const holder = authorize(headers.get('authorization'), service, () => addressOf(visit));
  if (isRefusal(holder)) return refusalAnswer(holder);
  visit.holder = holder;
  visit.allowance = service.limit(holder);
  const { allowance } = visit;
  if (allowance && !allowance.bucket.take()) return refusalAnswer(tooMany(allowance.bucket));
  const { scope } = 'dataset' in route ? route.dataset : route.operation;
  if (scope && !holder.scopes.has(scope)) return FORBIDDEN;

  if ('operation' in route) return route.answer(service, holder, targetIn(url), request);

  const { dataset, path } = route;
  const target = url.slice(url.indexOf(path));
  const form = representationFor(headers.get('accept'));
  const counted = isCountWanted(headers.get('prefer'));
  const instant = headers.get(ACCEPT_DATETIME);
  const key = keyOf({ target, form, counted });
  const known = instant === null ? service.memory.get(key) : undefined;
  if (known) return known;

  const planned = plan(dataset, target.slice(path.length + 1), service.cursors);
  if (isRefusal(planned)) return refusalAnswer(planned);
  const wanted = { dataset, target, plan: planned, form, counted };
  const make = (asOf?: number) => made(service, wanted, asOf);
  return instant === null
    ? remembered(service, key, make)
    : atInstant(service, { target, key }, instant, make);
}

/** The client's network address; empty where nothing came over a network. */
function addressOf({ server, request }: Visit): string {
  return server?.requestIP(request)?.address ?? '';
}

/** What is sent of an answer. What the client has already is cheaper, and counts for less. */
function sending(visit: Visit, answer: Answer): Answer | Promise<Answer> {
  const { service, request, allowance } = visit;
  const sent = deliver(request.headers, answer, service);
  if (!(sent instanceof Promise) && sent.status === 304)
    allowance?.bucket.giveBack(UNCHANGED_SAVES);
  return sent;
}

/** The answer where something broke: the cause goes to the log with the request's id. */
function broken({ service, requestId }: Visit, cause: unknown): Answer {
  if (cause instanceof StoreUnavailable) {
    // While it is known to be lost, every request would say so.
    if (service.contact.lastAt === undefined)
      service.emit({ event: 'store.unavailable', requestId, cause: cause.message });
    return refusalAnswer(refuse('temporarily_unavailable', {}, { 'Retry-After': '1' }));
  }
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  service.emit({ event: 'request.failed', requestId, cause: text });
  return refusalAnswer(refuse('internal_error'));
}

function respond(visit: Visit, answer: Answer): Response {
  const { service, method, requestId, allowance } = visit;
  const { status, body, headers, stream } = answer;
  // A response copies its headers when it is made, so one set can serve every reply in turn. What
  // one token was told must not stay for the next, nor for those without one.
  headers.set('X-Request-Id', requestId);
  if (allowance) {
    headers.set('RateLimit-Policy', allowance.policy);
    headers.set('RateLimit', standing(allowance));
  } else {
    headers.delete('RateLimit-Policy');
    headers.delete('RateLimit');
  }
  if (service.contact.wasLost) markUnconfirmed(service, answer);
  const response = new Response(stream?.bytes ?? body, { status, headers });
  const isHead = method === 'HEAD';
  // Bun dates every reply but this one.
  if (isHead) response.headers.set('Date', new Date().toUTCString());
  if (!stream) report(visit, answer, isHead ? 0 : (body?.size ?? 0));
  else {
    visit.server?.timeout(visit.request, STREAM_SECONDS);
    stream.sent.then(({ bytes, cause }) => {
      // The status is out already: all that is left is to tell why the body broke off.
      if (cause !== undefined) broken(visit, cause);
      report(visit, answer, bytes);
    });
  }
  return response;
}

/** What is known while the store does not answer may be out of date: the client is told. */
function markUnconfirmed({ contact }: Service, { headers, revision }: Answer): void {
  if (contact.lastAt !== undefined && revision !== null) headers.set(UNCONFIRMED, contact.lastAt);
  else headers.delete(UNCONFIRMED);
}

function report(visit: Visit, { status, revision }: Answer, bytes: number): void {
  const { service, method, route, requestId, startedMs, holder } = visit;
  service.emit({
    event: 'request',
    requestId,
    token: holder?.id ?? null,
    method,
    route: route?.path ?? null,
    status,
    bytes,
    ms: Math.round((performance.now() - startedMs) * 1_000) / 1_000,
    revision,
  });
}

const UNCONFIRMED = 'Tenor-Unconfirmed-Since';
const INVALID_METHOD = refusalAnswer(refuse('invalid_method', {}, { Allow: ALLOWED_METHODS }));
const OPTIONS = optionsAnswer();
