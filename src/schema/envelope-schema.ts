import type { Dataset } from '../catalogue/model/dataset.ts';
import type { JsonSchema } from '../catalogue/model/json-schema.ts';
import { fieldsSchema, objectSchema, stringSchema } from '../catalogue/model/json-schema.ts';

export function buildRecordSchema(dataset: Dataset): JsonSchema {
  return {
    title: dataset.title,
    description: dataset.description,
    ...fieldsSchema(dataset.fields),
  };
}

/** The JSON Schema of a success body with these properties after its status. */
export function buildEnvelopeSchema(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return objectSchema({ status: { const: 'ok' }, ...properties });
}

/** The JSON Schema of every error body. */
export const ERROR_SCHEMA = objectSchema({
  status: { const: 'error' },
  message: stringSchema('What is wrong, and what is allowed'),
});
