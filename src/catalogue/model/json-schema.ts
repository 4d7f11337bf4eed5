export type JsonSchema = Readonly<Record<string, unknown>>;

/** The description of a field's values. */
interface DescribedSchema {
  readonly schema: JsonSchema;
  readonly description: string;
  readonly unit?: string;
  readonly isNullable?: true;
}

/** Builders of JSON Schemas; the description may say what the type does not. */
export const schema = {
  string: (description: string): JsonSchema => ({ type: 'string', description }),
  choice: (choices: readonly unknown[], description?: string): JsonSchema => ({
    type: 'string',
    enum: choices,
    ...(description !== undefined && { description }),
  }),
  instant: (description: string): JsonSchema => ({
    type: 'string',
    format: 'date-time',
    description,
  }),
  number: (description: string): JsonSchema => ({ type: 'number', description }),
  integer: (description: string, minimum = 0): JsonSchema => ({
    type: 'integer',
    minimum,
    description,
  }),
  array: (description: string, items: JsonSchema): JsonSchema => ({
    type: 'array',
    description,
    items,
  }),
  /** An object with exactly these properties, some of which may be absent. */
  object: (
    properties: Readonly<Record<string, JsonSchema>>,
    optional: readonly string[] = [],
  ): JsonSchema => ({
    type: 'object',
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
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
}

/** References to the record schemas of the OpenAPI document. */
export function recordReferences(catalogue: readonly NamedDataset[]): JsonSchema[] {
  return catalogue.map((dataset) => ({ $ref: `#/components/schemas/${getSchemaName(dataset)}` }));
}

/** The name of a record schema: a list of securities or funds has entries of its own. */
export function getSchemaName({ name, shape }: NamedDataset): string {
  return shape === 'reference' ? `${name}-reference` : name;
}

/** The fields of a row where each item of a list is one: those of the object, then of the item. */
export function listRowFields(
  properties: Readonly<Record<string, JsonSchema>>,
  rowList: string,
): string[] {
  const items = properties[rowList]?.items as JsonSchema;
  return [
    ...Object.keys(properties).filter((name) => isScalarSchema(properties[name] ?? {})),
    ...Object.keys(items.properties as object),
  ];
}

/** Whether values are neither lists nor objects. */
export function isScalarSchema({ type }: JsonSchema): boolean {
  return !['array', 'object'].some((name) => hasType(type, name));
}

/** A value that may be null has several types. */
export function hasType(type: unknown, name: string): boolean {
  return type === name || (Array.isArray(type) && type.includes(name));
}
