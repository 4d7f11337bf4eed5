import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import type { JsonSchema } from '../../src/catalogue/model/json-schema.ts';
import { buildOpenApiDocument } from '../../src/openapi/document.ts';

/** An operation with a JSON response, as far as the client needs it. */
export interface OperationDescription {
  readonly name: string;
  readonly path: string;
  readonly description: string;
  /** The schema of an object with the query parameters as its properties. */
  readonly parameters: JsonSchema;
  /** The schema of `data` in a success body. */
  readonly data: JsonSchema;
  /** Whether a request may ask for the number of all records that match. */
  readonly hasCount: boolean;
  /** Whether it has formats other than JSON. */
  readonly hasFormats: boolean;
}

/**
 * The operations of the OpenAPI document, and its schemas of records by name; without aliases, and without
 * what is served by the name of a dataset, which is an argument of one method.
 */
export function describeOperations(catalogue: readonly Dataset[]): {
  readonly operations: readonly OperationDescription[];
  readonly schemas: Readonly<Record<string, JsonSchema>>;
} {
  const document = buildOpenApiDocument(catalogue, '') as JsonSchema;
  const aliases = new Set(catalogue.flatMap(({ paths }) => paths.slice(1)));
  const paths = Object.entries(getNested(document, 'paths') as Record<string, JsonSchema>);
  const operations = paths
    .filter(([path]) => !aliases.has(path) && !path.startsWith('/datasets/'))
    .flatMap(([path, item]) => describeOperation(document, path, getNested(item, 'get')) ?? []);
  const schemas = Object.entries(
    getNested(document, 'components', 'schemas') as Record<string, JsonSchema>,
  ).filter(([name]) => !/^(dataset|parameter)-/.test(name));
  return { operations, schemas: Object.fromEntries(schemas) };
}

/** What every dataset takes that is read by its name, apart from its dimensions. */
export function describeDatasetOperation(catalogue: readonly Dataset[]): OperationDescription {
  const document = buildOpenApiDocument(catalogue, '') as JsonSchema;
  const paths = Object.entries(getNested(document, 'paths') as Record<string, JsonSchema>);
  const [path, item] = paths.find(([each]) => each.startsWith('/datasets/')) ?? ['', {}];
  const operation = describeOperation(document, path, getNested(item, 'get'));
  if (!operation) throw new Error('no dataset is read by its name');
  return { ...operation, name: 'dataset', path: '/datasets/{dataset}', hasCount: false };
}

function describeOperation(
  document: JsonSchema,
  path: string,
  operation: JsonSchema,
): OperationDescription | undefined {
  const content = getNested(operation, 'responses', '200', 'content');
  const body = getNested(content, 'application/json', 'schema');
  const bodies = (body.oneOf ?? [body]) as JsonSchema[];
  const data = bodies
    .map((schema) => getNested(schema, 'properties', 'data'))
    .find((schema) => Object.keys(schema).length > 0);
  if (!data) return undefined;
  const all = (operation.parameters as JsonSchema[])
    .map((parameter) => resolveReference(document, parameter))
    .map((parameter): JsonSchema => {
      const schema = resolveReference(document, parameter.schema as JsonSchema);
      return { ...parameter, schema };
    });
  const parameters = all
    // The methods of a client know which format they read.
    .filter(({ in: location, name }) => location === 'query' && name !== 'format');
  return {
    name: String(operation.operationId),
    path,
    description: String(operation.description),
    parameters: toObjectSchema(parameters),
    data,
    hasCount: all.some(({ name }) => name === 'Prefer'),
    hasFormats: Object.keys(content).length > 1,
  };
}

/** The words in the description of a parameter that takes several values as one text. */
const LIST_PATTERN = /separated by commas|such as \w+,\w+/;

function toObjectSchema(parameters: readonly JsonSchema[]): JsonSchema {
  const properties = parameters.map(({ name, description, schema }) => {
    const list = LIST_PATTERN.test(String(description))
      ? { anyOf: [schema, { type: 'array', items: schema }] }
      : (schema as JsonSchema);
    return [name, { ...list, description }];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

function resolveReference(document: JsonSchema, node: JsonSchema): JsonSchema {
  if (typeof node.$ref !== 'string') return node;
  return getNested(document, ...node.$ref.split('/').slice(1));
}

/** The node at the end of a path of names; an empty object if there is none. */
function getNested(node: JsonSchema, ...names: readonly string[]): JsonSchema {
  return names.reduce((parent, name) => (parent[name] ?? {}) as JsonSchema, node);
}
