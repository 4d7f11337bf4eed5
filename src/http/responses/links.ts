import type { ReadResult } from '../../store/open-store.ts';
import type { CursorCodec } from '../request/cursor-codec.ts';
import type { QueryPlan } from '../request/plan-query.ts';

/**
 * The links of an answer that was cut, for its `Link` header: to what comes next, and to the first
 * answer of the walk. Undefined where nothing was cut.
 */
export function createCursorLinks(
  target: string,
  { selection, parameterFingerprint }: QueryPlan,
  { lastPosition, revision }: ReadResult,
  cursors: CursorCodec,
): string | undefined {
  if (!lastPosition || selection.kind !== 'quotes') return undefined;
  // The latest day is found once, and a walk stays with it.
  const dateRange = selection.dateRange ?? ([lastPosition.date, lastPosition.date] as const);
  const cursor = cursors.encode(parameterFingerprint, {
    asOf: revision,
    dateRange,
    after: lastPosition,
  });
  return createPaginationLinks(target, { cursor });
}

/** Links to what comes next, by the parameters that lead on, and to where the walk begins. */
export function createPaginationLinks(
  target: string,
  leads: Readonly<Record<string, string | number>>,
): string {
  const first = Object.keys(leads).reduce(removeQueryParameter, target);
  const pairs = Object.entries(leads).map(([name, value]) => `${name}=${value}`);
  const next = `${first}${first.includes('?') ? '&' : '?'}${pairs.join('&')}`;
  return `${formatLink(next, 'next')}, ${formatLink(first, 'first')}`;
}

/** One link of a `Link` header (RFC 8288), to a target of this service. */
export function formatLink(target: string, relation: string): string {
  // What may not stand between angle brackets, or in a header, is written in percent signs.
  const uri = target.replace(/[^!-~]|[<>"\\^`{|}]/gu, encodeURIComponent);
  return `<${uri}>; rel="${relation}"`;
}

/** The target without a parameter; the others stay to the letter. */
function removeQueryParameter(target: string, parameter: string): string {
  const at = target.indexOf('?');
  if (at === -1) return target;
  const pairs = target.slice(at + 1).split('&');
  const others = pairs.filter((pair) => decodeURIComponent(pair.split('=')[0] ?? '') !== parameter);
  const query = others.join('&');
  return query === '' ? target.slice(0, at) : `${target.slice(0, at)}?${query}`;
}
