import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import type { JsonSchema } from '../../src/catalogue/model/json-schema.ts';
import { buildOpenApiDocument } from '../../src/openapi/document.ts';

/** What the client needs to know of an operation that answers with JSON. */
export interface OperationDescription {
  readonly name: string;
  readonly path: string;
  readonly meaning: string;
  /** The schema of an object that has the query parameters as its properties. */
  readonly parameters: JsonSchema;
  /** The schema of `data` in a success body. */
  readonly data: JsonSchema;
  /** Whether it answers in other forms as well. */
  readonly hasForms: boolean;
}

/** The operations of the OpenAPI document, without aliases, and its schemas by name. */
export function describeOperations(catalogue: readonly Dataset[]): {
  readonly operations: readonly OperationDescription[];
  readonly schemas: Readonly<Record<string, JsonSchema>>;
} {
  const document = buildOpenApiDocument(catalogue, '') as Node;
  const aliases = new Set(catalogue.flatMap(({ paths: [, ...others] }) => others));
  const paths = Object.entries(getNested(document, 'paths') as Record<string, Node>);
  const operations = paths
    .filter(([path]) => !aliases.has(path))
    .flatMap(([path, item]) => describeOperation(document, path, getNested(item, 'get')) ?? []);
  return {
    operations,
    schemas: getNested(document, 'components', 'schemas') as Record<string, Node>,
  };
}

type Node = Readonly<Record<string, unknown>>;

function describeOperation(
  document: Node,
  path: string,
  operation: Node,
): OperationDescription | undefined {
  const answer = resolveReference(document, getNested(operation, 'responses', '200'));
  const content = getNested(answer, 'content');
  const body = resolveReference(document, getNested(content, 'application/json', 'schema'));
  const bodies = (body.oneOf ?? body.anyOf ?? [body]) as Node[];
  const data = bodies.map((one) =>
    getNested(resolveReference(document, one), 'properties', 'data'),
  );
  const found = data.find((schema) => Object.keys(schema).length > 0);
  if (!found) return undefined;
  const parameters = ((operation.parameters ?? []) as Node[])
    .map((parameter) => resolveReference(document, parameter))
    .filter((parameter) => parameter.in === 'query');
  return {
    name: String(operation.operationId),
    path,
    meaning: String(operation.description),
    parameters: toObjectSchema(parameters),
    data: found,
    hasForms: Object.keys(content).length > 1,
  };
}

function toObjectSchema(parameters: readonly Node[]): JsonSchema {
  const properties = parameters.map(({ name, description, schema }) => [
    name,
    { ...(schema as Node), description },
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** What a node stands for: a reference is followed within the document. */
function resolveReference(document: Node, node: Node): Node {
  if (typeof node.$ref !== 'string') return node;
  return resolveReference(document, getNested(document, ...node.$ref.split('/').slice(1)));
}

/** The node at the end of the names; an empty one where there is none. */
function getNested(node: Node, ...names: readonly string[]): Node {
  return names.reduce<Node>((found, name) => (found[name] ?? {}) as Node, node);
}
