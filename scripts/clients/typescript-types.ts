import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import type { JsonSchema } from '../../src/catalogue/model/json-schema.ts';
import { RESPONSE_FORMATS } from '../../src/catalogue/model/response-format.ts';
import { TRANSFORM_PARAMETERS } from '../../src/catalogue/model/transform-parameters.ts';
import { exportsOperation } from '../../src/operations/exports/exports-operation.ts';
import { EXPORT_FORMATS } from '../../src/shared/formats.ts';
import { describeOperations, type OperationDescription } from './describe-operations.ts';
import { describeRecordOrder } from './record-order.ts';
import {
  addInterface,
  formatInterfaces,
  formatType,
  type InterfaceTexts,
  toTypeName,
} from './typescript-text.ts';

/** The path of the generated file in the repository. */
export const OUTPUT_PATH = 'src/client/generated.ts';

/** The client's types, paths and media types, generated from the OpenAPI document. */
export function generateTypes(catalogue: readonly Dataset[]): string {
  const { operations, schemas } = describeOperations(catalogue);
  // A state is a record and the fields of every state.
  const records = Object.entries(schemas).filter(
    ([name]) => name !== 'error' && !name.endsWith('-vintage'),
  );
  const interfaces: InterfaceTexts = new Map();
  for (const [name, schema] of records)
    addInterface(interfaces, `${toTypeName(name)}Record`, schema);
  for (const { name, description, data } of operations) {
    const schema = getRecordSchema(data);
    // The document has a schema of its own for records of datasets.
    if (!schema.$ref)
      addInterface(interfaces, `${toTypeName(name)}Record`, { ...schema, description });
  }
  addInterface(interfaces, 'AsOfParameters', describeAsOfParameters(operations));
  for (const operation of operations.filter(hasParameters))
    addInterface(
      interfaces,
      `${toTypeName(operation.name)}Parameters`,
      describeParameters(operation),
    );
  addInterface(interfaces, 'TransformParameters', describeTransformParameters());
  return [
    '// Made by `npm run docs` from the OpenAPI document of the service. Changes here are lost.\n',
    ...formatInterfaces(interfaces),
    generateOperations(operations),
    generatePaths(operations),
    generateSeriesNames(catalogue),
    generateTableNames(catalogue, operations),
    generateMediaTypes(),
    generateExports(catalogue),
    generateRecordOrders(catalogue),
    generateNestedFields(catalogue),
  ].join('\n');
}

function getRecordSchema(data: JsonSchema): JsonSchema {
  return data.type === 'array' ? (data.items as JsonSchema) : data;
}

function hasParameters({ parameters }: OperationDescription): boolean {
  return Object.keys(parameters.properties as object).length > 0;
}

/** The parameter that almost every operation has. */
function describeAsOfParameters(operations: readonly OperationDescription[]): JsonSchema {
  const all = operations.map(({ parameters }) => parameters.properties as JsonSchema);
  return { properties: { as_of: all.find(({ as_of }) => as_of)?.as_of } };
}

function describeParameters({ parameters }: OperationDescription): JsonSchema {
  const { dataset, ...others } = parameters.properties as Readonly<Record<string, JsonSchema>>;
  // A service may have declared datasets.
  const anyDataset = { type: 'AnyDatasetName', description: dataset?.description };
  const properties = { ...(dataset && { dataset: anyDataset }), ...others };
  return { ...parameters, properties };
}

/** Those of datasets by their names, whose other parameters depend on the dataset. */
function describeTransformParameters(): JsonSchema {
  const properties = Object.entries(TRANSFORM_PARAMETERS).map(
    ([name, { schema, description }]) => [name, { ...schema, description }] as const,
  );
  return { properties: Object.fromEntries(properties) };
}

function generateOperations(operations: readonly OperationDescription[]): string {
  const lines = operations.map((operation) => {
    const { name, data } = operation;
    const schema = getRecordSchema(data);
    const record = schema.$ref ? formatType(schema) : `${toTypeName(name)}Record`;
    const parameters = hasParameters(operation) ? `${toTypeName(name)}Parameters` : 'NoParameters';
    const type = data.type === 'array' ? `readonly ${record}[]` : record;
    return `  readonly ${formatPropertyKey(name)}: Operation<${parameters}, ${type}>;`;
  });
  return `export type NoParameters = Readonly<Record<never, never>>;

interface Operation<Parameters, Data> {
  readonly parameters: Parameters;
  readonly data: Data;
}

/** The parameters and data of each operation. */
export interface Operations {
${lines.join('\n')}
}
`;
}

function generatePaths(operations: readonly OperationDescription[]): string {
  const lines = operations.map(({ name, path }) => `  ${formatPropertyKey(name)}: '${path}',`);
  return `/** The path of each operation. */
export const PATHS = {
${lines.join('\n')}
} as const satisfies Readonly<Record<keyof Operations, string>>;
`;
}

function generateSeriesNames(catalogue: readonly Dataset[]): string {
  const namesOfKind = (isSeries: boolean) =>
    catalogue.filter(({ shape }) => (shape === 'series') === isSeries).map(({ name }) => name);
  return `/** The statistical series. */
export const SERIES = [
${formatNameLines(namesOfKind(true))}] as const;

export type SeriesName = (typeof SERIES)[number];

/** Every dataset: the series are among them. */
export type DatasetName = ${namesOfKind(false)
    .map((name) => `'${name}' | `)
    .join('')}SeriesName;

/** A dataset that ships with the service, or any that its publisher has declared. */
export type AnyDatasetName = DatasetName | (string & Record<never, never>);
`;
}

function generateTableNames(
  catalogue: readonly Dataset[],
  operations: readonly OperationDescription[],
): string {
  const series = catalogue.filter(({ shape }) => shape === 'series').map(({ name }) => name);
  const tables = operations.filter(({ name, hasFormats }) => hasFormats && !series.includes(name));
  return `/** Every operation with formats other than JSON. */
export const TABLES = [
${formatNameLines(tables.map(({ name }) => name))}  ...SERIES,
] as const;

export type TableName = (typeof TABLES)[number];
`;
}

function formatNameLines(names: readonly string[]): string {
  return names.map((name) => `  '${name}',\n`).join('');
}

function generateMediaTypes(): string {
  const lines = Object.entries(RESPONSE_FORMATS)
    .filter(([name]) => name !== 'json')
    .map(
      ([name, { mediaType, description }]) => `  /** ${description} */\n  ${name}: '${mediaType}',`,
    );
  return `/** The media type of each format other than JSON. */
export const MEDIA_TYPES = {
${lines.join('\n')}
} as const;

/** A response format other than JSON. */
export type Format = keyof typeof MEDIA_TYPES;
`;
}

function generateExports(catalogue: readonly Dataset[]): string {
  return `/** The path of complete datasets. */
export const EXPORTS = '${exportsOperation(catalogue).path}';

/** A format of complete datasets. */
export type ExportFormat = ${EXPORT_FORMATS.map((format) => `'${format}'`).join(' | ')};
`;
}

function generateRecordOrders(catalogue: readonly Dataset[]): string {
  const flat = catalogue.filter(({ shape }) => shape === 'quotes' || shape === 'reference');
  const lines = flat.map((dataset) => {
    const fields = describeRecordOrder(dataset).map(
      ({ field, order }) => `['${field}', '${order}']`,
    );
    return `  ${formatPropertyKey(dataset.name)}: [${fields.join(', ')}],`;
  });
  return `/** The fields that identify records, and their order, if each record is one row. */
export const RECORD_ORDERS = {
${lines.join('\n')}
} as const;
`;
}

function generateNestedFields(catalogue: readonly Dataset[]): string {
  const lines = catalogue.flatMap(({ name, shape, fields }) => {
    const nested = Object.keys(fields).filter((field) => isNested(fields[field]?.schema));
    if (shape === 'fund' || nested.length === 0) return [];
    return [`  ${formatPropertyKey(name)}: [${nested.map((field) => `'${field}'`).join(', ')}],`];
  });
  return `/** The fields that are lists or objects, if each record is one row of a table. */
export const NESTED_FIELDS = {
${lines.join('\n')}
} as const;
`;
}

function isNested({ type }: JsonSchema = {}): boolean {
  return [type].flat().some((name) => name === 'array' || name === 'object');
}

function formatPropertyKey(name: string): string {
  return /^\w+$/.test(name) ? name : `'${name}'`;
}
