/** A link of a `Link` header (RFC 8288). */
export interface Link {
  /** A relative or absolute URL. */
  readonly target: string;
  /** In lower case. */
  readonly relations: readonly string[];
}

const LINK_TARGET = /[\s,]*<([^>]*)>/y;
const LINK_PARAMETER =
  /\s*;\s*(?:([^\s;,="<>]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"<>]*)))?)?/y;
const LINK_END = /\s*(?:,|$)/y;

/** The links of a header; undefined if it is malformed. */
export function parseLinkHeader(header: string): readonly Link[] | undefined {
  const links: Link[] = [];
  let position = 0;
  const match = (pattern: RegExp) => {
    pattern.lastIndex = position;
    const groups = pattern.exec(header);
    if (groups) position = pattern.lastIndex;
    return groups;
  };
  while (/[^\s,]/.test(header.slice(position))) {
    const target = match(LINK_TARGET)?.[1];
    if (target === undefined) return undefined;
    const parameters = new Map<string, string>();
    for (let groups = match(LINK_PARAMETER); groups; groups = match(LINK_PARAMETER)) {
      const [, name = '', quoted, plain = ''] = groups;
      const value = quoted?.replace(/\\(.)/g, '$1') ?? plain;
      // The first of several parameters with one name counts.
      if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), value);
    }
    if (!match(LINK_END)) return undefined;
    // With an anchor it is a link of another resource.
    if (parameters.has('anchor')) continue;
    const relations = (parameters.get('rel') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
    links.push({ target, relations });
  }
  return links;
}
