import { ACCEPT_DATETIME } from '../../catalogue/model/accept-datetime.ts';
import { negotiateFormat, prefersExactCount } from '../request/content-negotiation.ts';
import type { CursorCodec } from '../request/cursor-codec.ts';
import { parseRequestTarget } from '../request/request-target.ts';
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
export function describeOperationRequest(
  route: DataRoute,
  { headers, request, principal }: RequestingClient,
  cursors: CursorCodec,
): KeyedRequest {
  const { path, query } = parseRequestTarget(request.url);
  const requested = query === '' ? path : `${path}?${query}`;
  const target = route.isUnfiltered ? path : requested;
  const acceptedFormat = negotiateFormat(headers.get('accept'));
  const includeTotal = prefersExactCount(headers.get('prefer'));
  const scopeKey = route.getScopeKey?.(principal);
  // No target has a space, so that no key is the target of another request.
  let key = acceptedFormat === 'json' ? requested : `${requested} ${acceptedFormat}`;
  if (includeTotal) key += ' counted';
  if (scopeKey !== undefined) key += ` ${scopeKey}`;
  const instant = route.isAlwaysCurrent ? null : headers.get(ACCEPT_DATETIME);
  return { path, query, target, acceptedFormat, includeTotal, principal, cursors, key, instant };
}
