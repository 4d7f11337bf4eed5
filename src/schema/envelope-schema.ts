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

/** The JSON Schema of a record whose figures are computed. */
export const TRANSFORMED_SCHEMA: JsonSchema = {
  title: 'Transformed record',
  description:
    'With `frequency` or `units`: the fields of the record, whose measures are null if they cannot be computed',
  ...schema.object(
    {
      observed: schema.integer('If it is aggregated: how many of its periods have a figure'),
      expected: schema.integer('If it is aggregated: how many should have one'),
    },
    ['observed', 'expected'],
  ),
  additionalProperties: true,
};

/** The JSON Schema of every error body. */
export const ERROR_SCHEMA = schema.object({
  status: { const: 'error' },
  message: schema.string('What is wrong, and what is allowed'),
});
