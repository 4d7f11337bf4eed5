import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import type { JsonSchema } from '../../src/catalogue/model/json-schema.ts';
import { RESPONSE_FORMATS } from '../../src/catalogue/model/response-format.ts';
import { EXPORT_FORMATS, exportsOperation } from '../../src/catalogue/operations/exports.ts';
import { describeOperations, type OperationDescription } from './describe-operations.ts';
import { formatInterface, formatType, toTypeName } from './typescript-text.ts';

/** Where the text belongs, from the root of the repository. */
export const OUTPUT_PATH = 'clients/typescript/src/generated.ts';

/** The client's types, paths and media types, made from what the service says of itself. */
export function generateTypes(catalogue: readonly Dataset[]): string {
  const { operations, schemas } = describeOperations(catalogue);
  const records = Object.entries(schemas).filter(([name]) => name !== 'error');
  return [
    '// Made by `npm run docs` from the OpenAPI document of the service. Changes here are lost.\n',
    ...records.map(([name, schema]) => formatInterface(`${toTypeName(name)}Record`, schema)),
    ...operations.flatMap(generateRecordInterface),
    ...operations.filter(hasParameters).map(generateParametersInterface),
    generateOperations(operations),
    generatePaths(operations),
    generateSeriesNames(catalogue),
    generateTableNames(catalogue, operations),
    generateMediaTypes(),
    generateExports(catalogue),
  ].join('\n');
}

/** The interface of what an operation answers with, where the document gives it no name. */
function generateRecordInterface({ name, meaning, data }: OperationDescription): string[] {
  const schema = getRecordSchema(data);
  if (schema.$ref) return [];
  return [formatInterface(`${toTypeName(name)}Record`, { ...schema, description: meaning })];
}

function getRecordSchema(data: JsonSchema): JsonSchema {
  return data.type === 'array' ? (data.items as JsonSchema) : data;
}

function hasParameters({ parameters }: OperationDescription): boolean {
  return Object.keys(parameters.properties as object).length > 0;
}

function generateParametersInterface({ name, parameters }: OperationDescription): string {
  return formatInterface(`${toTypeName(name)}Parameters`, parameters);
}

function generateOperations(operations: readonly OperationDescription[]): string {
  const lines = operations.map((operation) => {
    const { name, data } = operation;
    const own = `${toTypeName(name)}Record`;
    const one = getRecordSchema(data).$ref ? formatType(getRecordSchema(data)) : own;
    const parameters = hasParameters(operation) ? `${toTypeName(name)}Parameters` : 'NoParameters';
    return `  readonly ${formatPropertyKey(name)}: {
    readonly parameters: ${parameters};
    readonly data: ${data.type === 'array' ? `readonly ${one}[]` : one};
  };`;
  });
  return `export type NoParameters = Readonly<Record<never, never>>;

/** What each operation takes and answers with. */
export interface Operations {
${lines.join('\n')}
}
`;
}

function generatePaths(operations: readonly OperationDescription[]): string {
  const lines = operations.map(({ name, path }) => `  ${formatPropertyKey(name)}: '${path}',`);
  return `/** Where each operation is. */
export const PATHS = {
${lines.join('\n')}
} as const satisfies Readonly<Record<keyof Operations, string>>;
`;
}

function generateSeriesNames(catalogue: readonly Dataset[]): string {
  const named = (isSeries: boolean) =>
    catalogue.filter(({ shape }) => (shape === 'series') === isSeries).map(({ name }) => name);
  return `/** The statistical series. */
export const SERIES = [
${formatNameLines(named(true))}] as const;

export type SeriesName = (typeof SERIES)[number];

/** Every dataset: the series are among them. */
export type DatasetName = ${named(false)
    .map((name) => `'${name}' | `)
    .join('')}SeriesName;
`;
}

function generateTableNames(
  catalogue: readonly Dataset[],
  operations: readonly OperationDescription[],
): string {
  const series = catalogue.filter(({ shape }) => shape === 'series').map(({ name }) => name);
  const others = operations.filter(({ name, hasForms }) => hasForms && !series.includes(name));
  return `/** Every operation that answers in other forms beside JSON. */
export const TABLES = [
${formatNameLines(others.map(({ name }) => name))}  ...SERIES,
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
    .map(([name, { mediaType, meaning }]) => `  /** ${meaning} */\n  ${name}: '${mediaType}',`);
  return `/** What \`Accept\` says for each form beside JSON. */
export const MEDIA_TYPES = {
${lines.join('\n')}
} as const;

/** A form that an answer can take beside JSON. */
export type Format = keyof typeof MEDIA_TYPES;
`;
}

function generateExports(catalogue: readonly Dataset[]): string {
  return `/** Where whole datasets are. */
export const EXPORTS = '${exportsOperation(catalogue).path}';

/** A form that a whole dataset can have. */
export type ExportFormat = ${EXPORT_FORMATS.map((format) => `'${format}'`).join(' | ')};
`;
}

function formatPropertyKey(name: string): string {
  return /^\w+$/.test(name) ? name : `'${name}'`;
}
