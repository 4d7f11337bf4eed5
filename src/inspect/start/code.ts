/** A text as it is written in TypeScript. */
export function quote(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped}'`;
}

/** The name of a property, in quotes where it needs some. */
export const propertyName = (name: string) =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name);

/** The value of a property of `object`, or of an element of a list. */
export function propertyOf(object: string, name: string): string {
  if (/^[A-Za-z_$][\w$]*$/.test(name)) return `${object}.${name}`;
  return /^(?:0|[1-9]\d*)$/.test(name) ? `${object}[${name}]` : `${object}[${quote(name)}]`;
}

export const indent = (lines: readonly string[], by = 2): string[] =>
  lines.map((line) => (line === '' ? '' : ' '.repeat(by) + line));

/** An object on one line: `{ decimal: ',' }`. */
export function formatObject(object: object): string {
  const members = Object.entries(object).map(
    ([name, value]) => `${propertyName(name)}: ${formatValue(value)}`,
  );
  return `{ ${members.join(', ')} }`;
}

function formatValue(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  return Array.isArray(value) ? `[${value.map(formatValue).join(', ')}]` : String(value);
}

/** A comment of several lines, without the ends of them that texts of a file may have. */
export const comment = (texts: readonly string[]): string[] =>
  texts.map((text) => `// ${text.replaceAll(/\s+/g, ' ')}`);

/** A text in a regular expression. */
export const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** A table of texts, and the texts that they stand for. */
export const writeTextTable = (
  name: string,
  pairs: readonly (readonly [string, string])[],
): string[] => [
  `const ${name}: Readonly<Record<string, string>> = {`,
  ...pairs.map(([text, value]) => `  ${propertyName(text)}: ${quote(value)},`),
  '};',
];
