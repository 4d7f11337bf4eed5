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

/** The JSON Schema of a success body; `record` is the schema of a record or a reference. */
export function buildSuccessSchema(dataset: Dataset, record: JsonSchema): JsonSchema {
  const message = { message: { const: '', description: 'Empty on success' } };
  return buildEnvelopeSchema({
    ...(dataset.hasMessage && message),
    data: dataset.shape === 'fund' ? record : { type: 'array', items: record },
  });
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

export function buildSuccessExample({ shape, hasMessage, example }: Dataset): object {
  const data = shape === 'fund' ? example : [example];
  return hasMessage ? { status: 'ok', message: '', data } : { status: 'ok', data };
}
