import type { Dataset } from '../catalogue/model/dataset.ts';
import { fieldsSchema, type JsonSchema, schema } from '../catalogue/model/json-schema.ts';

export function buildRecordSchema(dataset: Dataset): JsonSchema {
  return {
    title: dataset.title,
    description: dataset.description,
    ...fieldsSchema(dataset.fields),
  };
}

/** The JSON Schema of a success body with these properties after its status. */
export function buildEnvelopeSchema(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return schema.object({ status: { const: 'ok' }, ...properties });
}

/** The JSON Schema of every error body. */
export const ERROR_SCHEMA = schema.object({
  status: { const: 'error' },
  message: schema.string('What is wrong, and what is allowed'),
});
