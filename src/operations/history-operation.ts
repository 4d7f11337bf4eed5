import { quotes } from '../catalogue/datasets/quotes.ts';
import type { Dataset } from '../catalogue/model/dataset.ts';
import { type Parameter, type Parameters, parameter } from '../catalogue/model/parameter.ts';
import { fieldsParameter } from '../catalogue/model/response-parameters.ts';

/** The part that the declarations of operations on the history of a dataset share. */
export const describeHistory = <Kind extends string, Example>(
  name: Kind,
  catalogue: readonly Dataset[],
  example: Example,
) =>
  ({
    name,
    supportsAsOf: true,
    path: `/${name}/{dataset}`,
    pathParameters: { dataset: parameter.namedItem('Name of the dataset', catalogue) },
    isTabular: true,
    hasNoTotal: true,
    // The example is that of quotes.
    example: catalogue.some(({ name }) => name === quotes.name) ? [example] : [],
  }) as const;

/** The fields of whatever dataset the path names. */
export const FIELDS_OF_DATASET: Parameter<readonly string[]> = {
  ...fieldsParameter(Object.keys(quotes.fields)),
  requirement:
    'names of fields of the dataset, separated by commas, each once; not for fund-allocation, whose table has no fields of its records',
};

/** The parameters for a dataset, whose fields they name. */
export function withFieldsOf({ shape, fields }: Dataset, parameters: Parameters): Parameters {
  const { fields: _, ...others } = parameters;
  return shape === 'fund'
    ? others
    : { ...parameters, fields: fieldsParameter(Object.keys(fields)) };
}
