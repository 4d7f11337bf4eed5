import { negotiateFormat, prefersExactCount } from '../request/content-negotiation.ts';
import { parseRequestTarget, sliceTarget } from '../request/request-target.ts';
import type { RequestingClient } from './exchange.ts';
import type { DataRoute, OperationRequest } from './route.ts';

/** A request for data, and where its response is cached. */
export interface KeyedRequest extends OperationRequest {
  /** The key of its response of the current data. */
  readonly key: string;
  /** The header `Accept-Datetime`; null where it is absent, or has no effect. */
  readonly instant: string | null;
}

/** Everything that a response depends on, but the revision: target, headers, scopes. */
export function createCacheKey(
  route: DataRoute,
  { headers, request, principal }: RequestingClient,
): string {
  // No target has a space, so that no key is the target of another request.
  let key = sliceTarget(request.url);
  const acceptedFormat = negotiateFormat(headers.get('accept'));
  if (acceptedFormat !== 'json' && !FORMAT_PARAMETER.test(key)) key += ` ${acceptedFormat}`;
  if (prefersExactCount(headers.get('prefer'))) key += ' counted';
  return route.getScopeKey ? `${key} ${route.getScopeKey(principal)}` : key;
}

/** Wins over `Accept`, so that the response does not depend on the header. */
const FORMAT_PARAMETER = /[?&]format=/;

/** The parts of a request that an operation parses. */
export function describeOperationRequest(
  { headers, request, principal }: RequestingClient,
  { cursors, ...cached }: Pick<KeyedRequest, 'cursors' | 'key' | 'instant'>,
): KeyedRequest {
  const { path, query } = parseRequestTarget(request.url);
  return {
    ...cached,
    path,
    query,
    target: query === '' ? path : `${path}?${query}`,
    acceptedFormat: negotiateFormat(headers.get('accept')),
    includeTotal: prefersExactCount(headers.get('prefer')),
    principal,
    cursors,
  };
}
