import type { JsonSchema } from '../../src/catalogue/model/json-schema.ts';

/** A name such as `fund-allocation` as the start of a type's name. */
export function toTypeName(name: string): string {
  const words = name.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return words.join('');
}

/** An interface with the properties of an object's schema. */
export function formatInterface(name: string, schema: JsonSchema): string {
  const { title = '', description = '' } = schema as Record<string, string>;
  const about = [title, description].filter((text) => text !== '').join('. ');
  return `${formatComment(about, '')}export interface ${name} ${formatObject(schema, '')}\n`;
}

/** The TypeScript type of what a schema allows, as it stands at that depth of a file. */
export function formatType(schema: JsonSchema, indent = ''): string {
  const { $ref, type, items } = schema;
  if (typeof $ref === 'string') return `${toTypeName($ref.split('/').at(-1) ?? '')}Record`;
  if ('const' in schema) return formatLiteral(schema.const);
  if (type === 'array') return `readonly ${formatElement(items as JsonSchema, indent)}[]`;
  if (type === 'object') return formatObject(schema, indent);
  if (type === 'integer') return 'number';
  const parts = formatAlternatives(schema, indent);
  if (parts) return [...new Set(parts)].join(' | ');
  return typeof type === 'string' ? type : 'unknown';
}

function formatAlternatives(schema: JsonSchema, indent: string): string[] | undefined {
  const { enum: words, anyOf, oneOf, type } = schema;
  if (Array.isArray(words)) return words.map(formatLiteral);
  const schemas = (anyOf ?? oneOf) as readonly JsonSchema[] | undefined;
  if (schemas) return schemas.map((part) => formatType(part, indent));
  if (!Array.isArray(type)) return undefined;
  return type.map((one) => formatType({ ...schema, type: one }, indent));
}

function formatElement(schema: JsonSchema, indent: string): string {
  const text = formatType(schema, indent);
  const isSimple = schema.type === 'object' || !text.includes(' ');
  return isSimple ? text : `(${text})`;
}

function formatObject(schema: JsonSchema, indent: string): string {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const required = (schema.required ?? []) as readonly string[];
  const rest = schema.additionalProperties;
  if (properties.length === 0) {
    const value = typeof rest === 'object' ? formatType(rest as JsonSchema, indent) : 'unknown';
    return `Readonly<Record<string, ${value}>>`;
  }
  const lines = properties.map(([name, property]) =>
    formatProperty(name, property, required.includes(name), `${indent}  `),
  );
  return `{\n${lines.join('')}${indent}}`;
}

const MAX_LINE_WIDTH = 100;

function formatProperty(
  name: string,
  schema: JsonSchema,
  required: boolean,
  indent: string,
): string {
  const key = /^[a-z_]\w*$/i.test(name) ? name : formatLiteral(name);
  const type = formatType(schema, indent) + (required ? '' : ' | undefined');
  const start = `${indent}readonly ${key}${required ? '' : '?'}:`;
  const line = `${start} ${type};`;
  const isBroken = !type.includes('\n') && line.length > MAX_LINE_WIDTH;
  const bars = type.split(' | ').map((part) => `\n${indent}  | ${part}`);
  const about =
    typeof schema.description === 'string' ? formatComment(schema.description, indent) : '';
  return `${about}${isBroken ? `${start}${bars.join('')};` : line}\n`;
}

function formatComment(text: string, indent: string): string {
  return text === '' ? '' : `${indent}/** ${text.replaceAll('*/', '* /')} */\n`;
}

function formatLiteral(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return `'${value.replace(/['\\]/g, '\\$&')}'`;
}
