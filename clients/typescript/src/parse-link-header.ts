/** A link of a `Link` header (RFC 8288). */
export interface Link {
  /** A reference, relative or not. */
  readonly target: string;
  /** In lower case. */
  readonly relations: readonly string[];
}

const LINK_TARGET = /[\s,]*<([^>]*)>/y;
const LINK_PARAMETER =
  /\s*;\s*(?:([^\s;,="<>]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"<>]*)))?)?/y;
const LINK_END = /\s*(?:,|$)/y;

/** The links of a header; undefined where it is not well formed. */
export function parseLinkHeader(header: string): readonly Link[] | undefined {
  const links: Link[] = [];
  let place = 0;
  const take = (form: RegExp) => {
    form.lastIndex = place;
    const found = form.exec(header);
    if (found) place = form.lastIndex;
    return found;
  };
  while (/[^\s,]/.test(header.slice(place))) {
    const target = take(LINK_TARGET)?.[1];
    if (target === undefined) return undefined;
    const parameters = new Map<string, string>();
    for (let found = take(LINK_PARAMETER); found; found = take(LINK_PARAMETER)) {
      const [, name = '', quoted, plain = ''] = found;
      const value = quoted?.replace(/\\(.)/g, '$1') ?? plain;
      // Of several with one name the first counts.
      if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), value);
    }
    if (!take(LINK_END)) return undefined;
    // With an anchor it is a link of something else.
    if (parameters.has('anchor')) continue;
    const relations = (parameters.get('rel') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
    links.push({ target, relations });
  }
  return links;
}
