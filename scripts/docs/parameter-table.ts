import type { Parameters } from '../../src/catalogue/model/parameter.ts';
import { code, table } from './markdown-table.ts';

/** The table of an operation's parameters; none if it has no parameters. */
export function parameterTables(parameters: Parameters, pathParameters: Parameters = {}): string[] {
  const rows = Object.entries({ ...pathParameters, ...parameters }).map(
    ([name, { description, requirement, schema, isRequired }]) => [
      code(name),
      description,
      requirement,
      isRequired || name in pathParameters ? 'none: it is needed' : String(schema.default ?? ''),
    ],
  );
  if (rows.length === 0) return [];
  return [table(['parameter', 'description', 'must be', 'default'], rows)];
}
