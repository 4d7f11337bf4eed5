import { isPlainObject } from '../../shared/is-plain-object.ts';
import type { AnyRecord } from './dataset.ts';
import { text } from './field-builders.ts';
import { hasType, type JsonSchema } from './json-schema.ts';

/** The violations of a schema by a value, one line each; supports the keywords that declarations need. */
export function* findSchemaProblems(
  value: unknown,
  schema: JsonSchema,
  path = '$',
): Generator<string> {
  const requirement = findRequirement(value, schema);
  if (requirement !== undefined) yield `${path} must ${requirement}`;
  else if (Array.isArray(value))
    for (const [index, item] of value.entries())
      yield* findSchemaProblems(item, (schema.items ?? {}) as JsonSchema, `${path}[${index}]`);
  else if (isPlainObject(value)) yield* findPropertyProblems(value, schema, path);
}

export function formatPath(path: string, name: string): string {
  const shown = name.length > 60 ? `${name.slice(0, 60)}…` : name;
  return /^\w+$/.test(shown) ? `${path}.${shown}` : `${path}[${JSON.stringify(shown)}]`;
}

const { isValid: isPlainText } = text('');

/** The text after "must", if the value itself, rather than a member, violates the schema. */
function findRequirement(value: unknown, schema: JsonSchema): string | undefined {
  const own = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  if (schema.type === undefined) return undefined;
  // `tenor inspect --declare` writes a question mark for everything that a file does not reveal.
  if (value === '?') return `be answered: ${[schema.enum ?? schema.description].flat().join(', ')}`;
  if (!hasType(schema.type, own) && !(Number.isInteger(value) && hasType(schema.type, 'integer')))
    return `be of type ${[schema.type].flat().join(' or ')}`;
  if (Array.isArray(schema.enum) && !schema.enum.includes(value))
    return `be one of ${schema.enum.join(', ')}`;
  if (typeof value === 'string') {
    if (!isPlainText(value)) return 'be text without control characters and space around it';
    if (!new RegExp(`${schema.pattern ?? ''}`).test(value)) return `match ${schema.pattern}`;
  }
  // An absent limit becomes NaN, which no comparison exceeds.
  const isBelow = (size: number, name: string) => size < Number(schema[name]);
  const isAbove = (size: number, name: string) => size > Number(schema[name]);
  if (typeof value === 'number') {
    if (isBelow(value, 'minimum')) return `be at least ${schema.minimum}`;
    if (value <= Number(schema.exclusiveMinimum)) return `be above ${schema.exclusiveMinimum}`;
    if (isAbove(value, 'maximum')) return `be at most ${schema.maximum}`;
  }
  if (typeof value === 'string' && isAbove([...value].length, 'maxLength'))
    return `have at most ${schema.maxLength} characters`;
  if (Array.isArray(value) && isBelow(value.length, 'minItems'))
    return `have at least ${schema.minItems} items`;
  if (Array.isArray(value) && isAbove(value.length, 'maxItems'))
    return `have at most ${schema.maxItems} items`;
  if (isPlainObject(value) && isAbove(Object.keys(value).length, 'maxProperties'))
    return `have at most ${schema.maxProperties} members`;
  return undefined;
}

function* findPropertyProblems(value: AnyRecord, schema: JsonSchema, path: string) {
  const { properties = {}, additionalProperties = {}, required = [], anyOf } = schema as Properties;
  const hasAll = (names: readonly string[]) => names.every((name) => Object.hasOwn(value, name));
  for (const name of required) if (!hasAll([name])) yield `${path} must have ${name}`;
  if (anyOf && !anyOf.some((form) => hasAll(form.required)))
    yield `${path} must have ${anyOf.map((form) => form.required.join(' and ')).join(', or ')}`;
  for (const [name, item] of Object.entries(value)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    if (property) yield* findSchemaProblems(item, property, formatPath(path, name));
    else yield `${formatPath(path, name)} is not one of ${Object.keys(properties).join(', ')}`;
  }
}

interface Properties {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | false;
  readonly required?: readonly string[];
  readonly anyOf?: readonly { readonly required: readonly string[] }[];
}
