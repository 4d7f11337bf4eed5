import { createDeclaredDataset } from '../catalogue/model/create-dataset.ts';
import { ANY_DECLARED, type JsonSchema } from '../catalogue/model/json-schema.ts';
import { OBSERVATIONS_PATH } from '../catalogue/model/observations.ts';
import { parameter } from '../catalogue/model/parameter.ts';
import { buildDatasetOperation, buildParameters } from './operations.ts';

const DESCRIPTION =
  'A dataset that the publisher has declared. There are too many to describe each here: `/catalogue` lists them, and `/datasets/{name}/openapi.json` describes one, with its fields, its periods and a parameter for each of its dimensions.';

/** The record of a declared dataset that is not described by itself. */
export const ANY_RECORD_SCHEMA: JsonSchema = {
  title: 'Record of a declared dataset',
  description: DESCRIPTION,
  type: 'object',
};

/** The operation that serves every declared dataset, if they are too many for one each. */
export function buildAnyDeclaredOperation() {
  const dataset = createDeclaredDataset({
    name: ANY_DECLARED,
    title: 'A declared dataset',
    description: DESCRIPTION,
    period: { field: 'period', kind: 'day' },
    measures: [{ field: 'value', title: 'Figure', unit: 'of the dataset', kind: 'flow' }],
  });
  const requirement = 'a period of the dataset, or a day in it as YYYY-MM-DD';
  const operation = buildDatasetOperation({
    ...dataset,
    paths: [OBSERVATIONS_PATH],
    parameters: {
      ...dataset.parameters,
      from: { ...parameter.text('First period, inclusive', '2024-01-31'), requirement },
      to: { ...parameter.text('Last period, inclusive', '2024-01-31'), requirement },
      fields: {
        ...parameter.text('Only these fields; JSON takes it with frequency alone', 'period,value'),
        requirement: 'names of fields separated by commas, each once',
      },
    },
  });
  const name = parameter.text('The name of a declared dataset', 'prices');
  const parameters = [...buildParameters('path', { name }), ...operation.parameters];
  return { ...operation, parameters };
}
