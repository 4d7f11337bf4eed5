import type { JsonSchema } from './field.ts';

/** The JSON Schema of an object with exactly these properties. */
export function object(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const required = Object.keys(properties);
  return { type: 'object', properties, required, additionalProperties: false };
}

/** The JSON Schema of a whole number. */
export function whole(description: string, minimum = 0): JsonSchema {
  return { type: 'integer', minimum, description };
}

/** The JSON Schema of a text. */
export function words(description: string): JsonSchema {
  return { type: 'string', description };
}

/** The JSON Schema of a list. */
export function list(description: string, items: JsonSchema): JsonSchema {
  return { type: 'array', description, items };
}

/** The JSON Schema of what may also be null; the description says when. */
export function orNull({ type, ...schema }: JsonSchema, description: string): JsonSchema {
  return { type: [type, 'null'], ...schema, description };
}
