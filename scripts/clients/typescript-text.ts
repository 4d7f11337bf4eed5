import type { JsonSchema } from '../../src/catalogue/model/json-schema.ts';

/** A dataset or operation name in Pascal case. */
export function toTypeName(name: string): string {
  return name
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** An interface with the properties of an object's schema. */
export function formatInterface(name: string, schema: JsonSchema): string {
  const { title = '', description = '' } = schema as Record<string, string>;
  const comment = [title, description].filter((text) => text !== '').join('. ');
  return `${formatComment(comment, '')}export interface ${name} ${formatObject(schema, '')}\n`;
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
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const required = (schema.required ?? []) as readonly string[];
  if (properties.length === 0) return 'Readonly<Record<string, unknown>>';
  const lines = properties.map(([name, property]) =>
    formatProperty(name, property, required.includes(name), `${indent}  `),
  );
  return `{\n${lines.join('')}${indent}}`;
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
  const wrapped = type.split(' | ').map((alternative) => `\n${indent}  | ${alternative}`);
  const comment = formatComment(String(schema.description ?? ''), indent);
  return `${comment}${isWrapped ? `${start}${wrapped.join('')};` : line}\n`;
}

function formatComment(text: string, indent: string): string {
  return text === '' ? '' : `${indent}/** ${text.replaceAll('*/', '* /')} */\n`;
}

function formatLiteral(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return `'${value.replace(/['\\]/g, '\\$&')}'`;
}
