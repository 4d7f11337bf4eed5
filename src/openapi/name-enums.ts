import type { JsonSchema } from '../catalogue/model/json-schema.ts';

interface Parameter {
  readonly name: string;
  readonly schema: JsonSchema;
}

/** An operation, or a reference to a part of the document. */
interface DescribedOperation {
  readonly operationId: string;
  readonly parameters: readonly (Parameter | { readonly $ref: string })[];
}

type Paths = Readonly<Record<string, { readonly get: object }>>;

/**
 * The same paths, with the values of their parameters as schemas of their own: generators of clients name
 * those that have none, by rules of which two may give the same name.
 */
export function nameEnums(paths: Paths): { paths: Paths; schemas: Record<string, JsonSchema> } {
  const schemas: Record<string, JsonSchema> = {};
  const named = Object.entries(paths).map(([path, { get }]) => {
    const operation = get as DescribedOperation;
    const parameters = operation.parameters.map((parameter) => {
      if (!('schema' in parameter) || !parameter.schema.enum) return parameter;
      // No schema of a dataset has a name that begins so.
      const name = `parameter-${operation.operationId}-${parameter.name}`;
      schemas[name] = parameter.schema;
      return { ...parameter, schema: { $ref: `#/components/schemas/${name}` } };
    });
    return [path, { get: { ...operation, parameters } }];
  });
  return { paths: Object.fromEntries(named), schemas };
}
