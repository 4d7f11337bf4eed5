import type { JsonSchema } from '../../src/catalogue/model/json-schema.ts';

/** A dataset or operation name in Pascal case. */
export function toTypeName(name: string): string {
  return name
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** Interfaces by their names, each with its comment and the text of every property. */
export type InterfaceTexts = Map<string, { comment: string; properties: readonly string[] }>;

export function addInterface(interfaces: InterfaceTexts, name: string, schema: JsonSchema): void {
  const { title = '', description = '' } = schema as Record<string, string>;
  const text = [title, description].filter((part) => part !== '').join('. ');
  const properties = formatProperties(schema, '');
  interfaces.set(name, { comment: formatComment(text, ''), properties });
}

/** One that has all properties of another one extends it. */
export function formatInterfaces(interfaces: InterfaceTexts): string[] {
  return [...interfaces].map(([name, { comment, properties }]) => {
    const base = findBase(name, properties, interfaces);
    const inherited = interfaces.get(base ?? '')?.properties ?? [];
    const own = properties.filter((property) => !inherited.includes(property));
    const start = `${comment}export interface ${name}${base === undefined ? '' : ` extends ${base}`}`;
    return `${start} ${own.length === 0 ? '{}' : `{\n${own.join('')}}`}\n`;
  });
}

/** The interface with the most properties of those that a later one has, too. */
function findBase(
  name: string,
  properties: readonly string[],
  interfaces: InterfaceTexts,
): string | undefined {
  const names = [...interfaces.keys()];
  const earlier = [...interfaces].slice(0, names.indexOf(name));
  const bases = earlier.filter(([, base]) =>
    base.properties.every((each) => properties.includes(each)),
  );
  return bases.sort(([, a], [, b]) => b.properties.length - a.properties.length)[0]?.[0];
}

/** The TypeScript type of a schema, at an indentation. */
export function formatType(schema: JsonSchema, indent = ''): string {
  const { $ref, type, items } = schema;
  if (typeof $ref === 'string') return `${toTypeName($ref.split('/').at(-1) ?? '')}Record`;
  if ('const' in schema) return formatLiteral(schema.const);
  if (type === 'array') return `readonly ${formatElement(items as JsonSchema, indent)}[]`;
  if (type === 'object') return formatObject(schema, indent);
  if (type === 'integer') return 'number';
  const alternatives = formatAlternatives(schema, indent);
  if (alternatives) return [...new Set(alternatives)].join(' | ');
  return typeof type === 'string' ? type : 'unknown';
}

function formatAlternatives(schema: JsonSchema, indent: string): string[] | undefined {
  const { enum: values, anyOf, type } = schema;
  if (Array.isArray(values)) return values.map(formatLiteral);
  const schemas = anyOf as readonly JsonSchema[] | undefined;
  if (schemas) return schemas.map((alternative) => formatType(alternative, indent));
  if (!Array.isArray(type)) return undefined;
  return type.map((single) => formatType({ ...schema, type: single }, indent));
}

function formatElement(schema: JsonSchema, indent: string): string {
  const text = formatType(schema, indent);
  const isSimple = schema.type === 'object' || !text.includes(' ');
  return isSimple ? text : `(${text})`;
}

function formatObject(schema: JsonSchema, indent: string): string {
  const lines = formatProperties(schema, indent);
  if (lines.length === 0) return 'Readonly<Record<string, unknown>>';
  return `{\n${lines.join('')}${indent}}`;
}

function formatProperties(schema: JsonSchema, indent: string): string[] {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const required = (schema.required ?? []) as readonly string[];
  return properties.map(([name, property]) =>
    formatProperty(name, property, required.includes(name), `${indent}  `),
  );
}

const MAX_LINE_WIDTH = 100;

function formatProperty(
  name: string,
  schema: JsonSchema,
  isRequired: boolean,
  indent: string,
): string {
  const key = /^[a-z_]\w*$/i.test(name) ? name : formatLiteral(name);
  const type = formatType(schema, indent) + (isRequired ? '' : ' | undefined');
  const start = `${indent}readonly ${key}${isRequired ? '' : '?'}:`;
  const line = `${start} ${type};`;
  const isWrapped = !type.includes('\n') && line.length > MAX_LINE_WIDTH;
  const comment = formatComment(String(schema.description ?? ''), indent);
  return `${comment}${isWrapped ? `${start}${wrapUnion(type, `${indent}  `)};` : line}\n`;
}

/** The alternatives of a union, as many to a line as fit. */
function wrapUnion(type: string, indent: string): string {
  const lines: string[] = [];
  for (const alternative of type.split(' | ')) {
    const longer = `${lines.at(-1)} | ${alternative}`;
    if (lines.length > 0 && longer.length < MAX_LINE_WIDTH) lines[lines.length - 1] = longer;
    else lines.push(`${indent}| ${alternative}`);
  }
  return lines.map((line) => `\n${line}`).join('');
}

function formatComment(text: string, indent: string): string {
  return text === '' ? '' : `${indent}/** ${text.replaceAll('*/', '* /')} */\n`;
}

function formatLiteral(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return `'${value.replace(/['\\]/g, '\\$&')}'`;
}
