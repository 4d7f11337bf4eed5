import { DATA_PACKAGE_PATH } from '../../operations/data-package/data-package-operation.ts';

/** Links to the next page, which has the cursor, and to the first, for a `Link` header. */
export function createPaginationLinks(target: string, cursor: string): string {
  const first = encodeInvalid(removeParameter(target, 'cursor'));
  const separator = first.includes('?') ? '&' : '?';
  return `<${first}${separator}cursor=${cursor}>; rel="next", <${first}>; rel="first"`;
}

/** One link of a `Link` header (RFC 8288). */
export function formatLink(target: string, relation: string): string {
  return `<${encodeInvalid(target)}>; rel="${relation}"`;
}

function encodeInvalid(target: string): string {
  return INVALID_IN_LINK.test(target) ? target.replace(ALL_INVALID, encodeURIComponent) : target;
}

/** Characters that may not stand between angle brackets, or in a header: percent-encoded. */
const INVALID_IN_LINK = /[^!-~]|[<>"\\^`{|}]/u;
const ALL_INVALID = new RegExp(INVALID_IN_LINK, 'gu');

/** The link from data to its description: the data package. */
export const DESCRIBED_BY_LINK = formatLink(DATA_PACKAGE_PATH, 'describedby');

/** Also where a name is percent-encoded, or a segment empty, which is left out too. */
const MAY_HAVE_PARAMETER = {
  as_of: /%|[?&](?:as_of|&|$)/,
  cursor: /%|[?&](?:cursor|&|$)/,
};

/** The target without a parameter; the others keep their spelling. */
export function removeParameter(target: string, name: 'as_of' | 'cursor'): string {
  if (!MAY_HAVE_PARAMETER[name].test(target)) return target;
  const [path = '', ...query] = target.split('?');
  const pairs = query.join('?').split('&');
  const others = pairs.filter(
    (pair) => pair !== '' && decodeURIComponent(pair.split('=', 1)[0] ?? '') !== name,
  );
  return others.length === 0 ? path : `${path}?${others.join('&')}`;
}
