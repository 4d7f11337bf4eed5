import type { JsonSchema } from './field.ts';

/** The JSON Schema of an object with exactly these properties. */
export function objectSchema(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const required = Object.keys(properties);
  return { type: 'object', properties, required, additionalProperties: false };
}

/** The JSON Schema of a whole number. */
export function integerSchema(description: string, minimum = 0): JsonSchema {
  return { type: 'integer', minimum, description };
}

/** The JSON Schema of a text. */
export function stringSchema(description: string): JsonSchema {
  return { type: 'string', description };
}

/** The JSON Schema of a list. */
export function arraySchema(description: string, items: JsonSchema): JsonSchema {
  return { type: 'array', description, items };
}

/** The JSON Schema of what may also be null; the description says when. */
export function nullableSchema({ type, ...schema }: JsonSchema, description: string): JsonSchema {
  return { type: [type, 'null'], ...schema, description };
}
