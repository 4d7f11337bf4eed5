/** A text as it is written in TypeScript. */
export function quote(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped}'`;
}

/** The name of a property, in quotes where it needs some. */
export const propertyName = (name: string) =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name);

/** A value of JSON on one line: `{ decimal: ',' }`. */
export function formatValue(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[${value.map(formatValue).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${propertyName(name)}: ${formatValue(member)}`,
  );
  return `{ ${members.join(', ')} }`;
}

/** A text in a regular expression. */
export const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** A table of texts, and the texts that they stand for. */
export const writeTextTable = (pairs: readonly (readonly [string, string])[]): string =>
  `{\n${pairs.map(([name, value]) => `  ${propertyName(name)}: ${quote(value)},\n`).join('')}}`;

/** The member `quote.bid` of an object: `value.quote?.bid`. */
export function writeAccess(object: string, path: string): string {
  return path.split('.').reduce((code, name, index) => {
    const property = propertyName(name);
    const optional = index === 0 ? '' : '?';
    return property === name
      ? `${code}${optional}.${name}`
      : `${code}${optional && '?.'}[${property}]`;
  }, object);
}
