export type JsonSchema = Readonly<Record<string, unknown>>;

export type SchemaOf<T> = JsonSchema & { readonly valueType?: T };
export type ValueOf<S> = S extends { readonly valueType?: infer T } ? T : unknown;

interface DescribedSchema {
  readonly schema: JsonSchema;
  readonly description: string;
  readonly unit?: string;
  readonly isNullable?: true;
}

/** Builders of JSON Schemas; descriptions may say more than the type. */
export const schema = {
  string: (description: string): SchemaOf<string> => ({ type: 'string', description }),
  choice: <const T>(choices: readonly T[], description?: string): SchemaOf<T> => ({
    type: 'string',
    enum: choices,
    ...(description !== undefined && { description }),
  }),
  instant: (description: string): JsonSchema => ({
    type: 'string',
    format: 'date-time',
    description,
  }),
  number: (description: string): SchemaOf<number> => ({ type: 'number', description }),
  boolean: (description: string): SchemaOf<boolean> => ({ type: 'boolean', description }),
  integer: (description: string, minimum = 0): SchemaOf<number> => ({
    type: 'integer',
    minimum,
    description,
  }),
  array: <S extends JsonSchema>(
    description: string,
    items: S,
  ): SchemaOf<readonly ValueOf<S>[]> => ({
    type: 'array',
    description,
    items,
  }),
  /** An object with exactly these properties, some of which may be absent. */
  object: <P extends Readonly<Record<string, JsonSchema>>, const O extends string = never>(
    properties: P,
    optional: readonly O[] = [],
  ): SchemaOf<
    { readonly [Name in Exclude<keyof P, O>]: ValueOf<P[Name]> } & {
      readonly [Name in keyof P & O]?: ValueOf<P[Name]>;
    }
  > => ({
    type: 'object',
    properties,
    required: Object.keys(properties).filter((name) => !optional.some((other) => other === name)),
    additionalProperties: false,
  }),
  /** A value that may be null; the description says when. */
  nullable: ({ type, ...schema }: JsonSchema, description: string): JsonSchema => {
    const values = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {};
    return { type: [type, 'null'], ...schema, ...values, description };
  },
};

/** The JSON Schema of an object with exactly these fields. */
export function fieldsSchema(fields: Readonly<Record<string, DescribedSchema>>): JsonSchema {
  const properties = Object.entries(fields).map(([name, field]) => [name, fieldSchema(field)]);
  return schema.object(Object.fromEntries(properties));
}

export function fieldSchema({ unit, isNullable, ...field }: DescribedSchema): JsonSchema {
  const description = unit === undefined ? field.description : `${field.description} (${unit})`;
  return isNullable
    ? schema.nullable(field.schema, `${description}; null if it is unknown`)
    : { ...field.schema, description };
}

interface NamedDataset {
  readonly name: string;
  readonly shape: string;
  readonly paths: readonly string[];
}

/** References to the record schemas of the OpenAPI document, or to those with a suffix. */
export function recordReferences(catalogue: readonly NamedDataset[], suffix = ''): JsonSchema[] {
  const { described, hasOthers } = listDescribed(catalogue);
  const names = [...described.map(getSchemaName), ...(hasOthers ? [ANY_DECLARED] : [])];
  return names.map((name) => ({ $ref: `#/components/schemas/${name}${suffix}` }));
}

/** The record schema of declared datasets that an OpenAPI document does not describe one by one. */
export const ANY_DECLARED = 'declared';
const MAX_DESCRIBED = 100;

/** The datasets that an OpenAPI document describes one by one: declared ones only if they are few. */
export function listDescribed<D extends NamedDataset>(
  catalogue: readonly D[],
): { described: readonly D[]; hasOthers: boolean } {
  const shipped = catalogue.filter((dataset) => !isDeclared(dataset));
  const hasOthers = catalogue.length - shipped.length > MAX_DESCRIBED;
  return { described: hasOthers ? shipped : catalogue, hasOthers };
}

const isDeclared = ({ name, paths }: NamedDataset) => paths[0] === `/datasets/${name}`;

/**
 * The name of a record schema. Lists of securities or funds have entries of their own, and publishers choose
 * the names of declared datasets.
 */
export function getSchemaName(dataset: NamedDataset): string {
  const { name, shape } = dataset;
  if (shape === 'reference') return `${name}-reference`;
  return isDeclared(dataset) ? `dataset-${name}` : name;
}

/** The fields of a row, in order and with their schemas, if each item of a list is a row. */
export function getRowSchemas(
  properties: Readonly<Record<string, JsonSchema>>,
  rowList: string,
): Readonly<Record<string, JsonSchema>> {
  const { before, after } = getRepeatedSchemas(properties, rowList);
  const items = properties[rowList]?.items as JsonSchema;
  return { ...before, ...(items.properties as typeof before), ...after };
}

/** The fields of an object that each of its rows repeats: figures and texts before the list, and figures after it. */
export function getRepeatedSchemas(
  properties: Readonly<Record<string, JsonSchema>>,
  rowList: string,
) {
  const entries = Object.entries(properties);
  const index = entries.findIndex(([name]) => name === rowList);
  const isOf = (type: unknown, names: readonly string[]) =>
    names.some((name) => hasType(type, name));
  const before = entries.slice(0, index).filter(([, { type }]) => !isOf(type, ['array', 'object']));
  const after = entries.slice(index).filter(([, { type }]) => isOf(type, ['integer', 'number']));
  return { before: Object.fromEntries(before), after: Object.fromEntries(after) };
}

/** A value that may be null has several types. */
export function hasType(type: unknown, name: string): boolean {
  return type === name || (Array.isArray(type) && type.includes(name));
}
