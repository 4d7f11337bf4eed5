import type { Dataset } from '../../../src/catalogue/dataset.ts';
import type { JsonSchema } from '../../../src/catalogue/field.ts';
import { openApi } from '../../../src/derive/openapi.ts';

/** What the client needs to know of an operation that answers with JSON. */
export interface Described {
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
export function described(catalogue: readonly Dataset[]): {
  readonly operations: readonly Described[];
  readonly schemas: Readonly<Record<string, JsonSchema>>;
} {
  const document = openApi(catalogue, '') as Node;
  const aliases = new Set(catalogue.flatMap(({ paths: [, ...others] }) => others));
  const paths = Object.entries(at(document, 'paths') as Record<string, Node>);
  const operations = paths
    .filter(([path]) => !aliases.has(path))
    .flatMap(([path, item]) => operationAt(document, path, at(item, 'get')) ?? []);
  return { operations, schemas: at(document, 'components', 'schemas') as Record<string, Node> };
}

type Node = Readonly<Record<string, unknown>>;

function operationAt(document: Node, path: string, operation: Node): Described | undefined {
  const answer = followed(document, at(operation, 'responses', '200'));
  const content = at(answer, 'content');
  const body = followed(document, at(content, 'application/json', 'schema'));
  const bodies = (body.oneOf ?? body.anyOf ?? [body]) as Node[];
  const data = bodies.map((one) => at(followed(document, one), 'properties', 'data'));
  const found = data.find((schema) => Object.keys(schema).length > 0);
  if (!found) return undefined;
  const parameters = ((operation.parameters ?? []) as Node[])
    .map((parameter) => followed(document, parameter))
    .filter((parameter) => parameter.in === 'query');
  return {
    name: String(operation.operationId),
    path,
    meaning: String(operation.description),
    parameters: asObject(parameters),
    data: found,
    hasForms: Object.keys(content).length > 1,
  };
}

function asObject(parameters: readonly Node[]): JsonSchema {
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
function followed(document: Node, node: Node): Node {
  if (typeof node.$ref !== 'string') return node;
  return followed(document, at(document, ...node.$ref.split('/').slice(1)));
}

/** The node at the end of the names; an empty one where there is none. */
function at(node: Node, ...names: readonly string[]): Node {
  return names.reduce<Node>((found, name) => (found[name] ?? {}) as Node, node);
}
