import type { ColumnProfile } from '../profile-column.ts';
import type { FieldPlan } from './plan-fields.ts';

/** A text as a TypeScript literal. */
export function quote(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped}'`;
}

/** The name of a property, in quotes if it needs some. */
const propertyName = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name));

/** A JSON value on one line: `{ decimal: ',' }`. */
export function formatValue(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[${value.map(formatValue).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${propertyName(name)}: ${formatValue(member)}`,
  );
  return `{ ${members.join(', ')} }`;
}

/** A table of names, and the fields or classes that they stand for; `?` for unknown ones. */
export const writeNameTable = (names: readonly (readonly [string, string])[]): string =>
  `{\n${names.map(([name, value]) => `  ${propertyName(name)}: ${quote(value)},\n`).join('')}}`;

/** The member `quote.bid` of an object: `value?.quote?.bid`. */
export const writeAccess = (path: string): string =>
  ['value', ...path.split('.').map((name) => propertyName(name).replace(/^'.*'$/, '[$&]'))].join(
    '?.',
  );

/** An object of fields, one per line, with remarks where a person should check them. */
export function writeObject(fields: readonly FieldPlan[], writeCell: (column: string) => string) {
  const lines = fields.map(({ field, column, remark }) => {
    const comment = remark === undefined ? '' : ` // ${remark.replaceAll(/\s+/g, ' ')}`;
    const value = column ? writeColumn(column, writeCell) : "'?'";
    return `  ${propertyName(field)}: ${value},${comment}\n`;
  });
  return `({\n${lines.join('')}})`;
}

function writeColumn({ name, key, parts }: ColumnProfile, writeCell: (column: string) => string) {
  if (key !== undefined) return `keys[${key}] ?? ''`;
  if (!parts) return writeCell(name);
  if (parts.length === 0) return "findDate(file.name) ?? ''";
  return `\`${name.replaceAll(/\{([^{}]+)\}/g, (_, column) => `\${${writeCell(column)}}`)}\``;
}
