/** Links to the next page, which has the cursor, and to the first, for a `Link` header. */
export function createPaginationLinks(target: string, cursor: string): string {
  const first = removeCursor(target);
  const next = `${first}${first.includes('?') ? '&' : '?'}cursor=${cursor}`;
  return `${formatLink(next, 'next')}, ${formatLink(first, 'first')}`;
}

/** One link of a `Link` header (RFC 8288). */
export function formatLink(target: string, relation: string): string {
  const uri = INVALID_IN_LINK.test(target)
    ? target.replace(ALL_INVALID, encodeURIComponent)
    : target;
  return `<${uri}>; rel="${relation}"`;
}

/** What may not stand between angle brackets, or in a header: it is percent-encoded. */
const INVALID_IN_LINK = /[^!-~]|[<>"\\^`{|}]/u;
const ALL_INVALID = new RegExp(INVALID_IN_LINK, 'gu');

/** The target without its cursor; the other parameters keep their spelling. */
function removeCursor(target: string): string {
  const [path = '', ...query] = target.split('?');
  const pairs = query.join('?').split('&');
  const others = pairs.filter(
    (pair) => pair !== '' && decodeURIComponent(pair.split('=', 1)[0] ?? '') !== 'cursor',
  );
  return others.length === 0 ? path : `${path}?${others.join('&')}`;
}
