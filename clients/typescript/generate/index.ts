import type { Dataset } from '../../../src/catalogue/dataset.ts';
import { EXPORT_FORMATS, wholeDatasets } from '../../../src/catalogue/exports.ts';
import type { JsonSchema } from '../../../src/catalogue/field.ts';
import { representations } from '../../../src/catalogue/representation.ts';
import { type Described, described } from './document.ts';
import { interfaceText, typeName, typeText } from './typescript.ts';

/** Where the text belongs, from the root of the repository. */
export const TYPES = 'clients/typescript/src/generated.ts';

/** The client's types, paths and media types, made from what the service says of itself. */
export function typesText(catalogue: readonly Dataset[]): string {
  const { operations, schemas } = described(catalogue);
  const records = Object.entries(schemas).filter(([name]) => name !== 'error');
  return [
    '// Made by `npm run docs` from the OpenAPI document of the service. Changes here are lost.\n',
    ...records.map(([name, schema]) => interfaceText(`${typeName(name)}Record`, schema)),
    ...operations.flatMap(recordOf),
    ...operations.filter(takesSome).map(parametersOf),
    operationsText(operations),
    pathsText(operations),
    seriesText(catalogue),
    tablesText(catalogue, operations),
    mediaTypesText(),
    exportsText(catalogue),
  ].join('\n');
}

/** The interface of what an operation answers with, where the document gives it no name. */
function recordOf({ name, meaning, data }: Described): string[] {
  const schema = record(data);
  if (schema.$ref) return [];
  return [interfaceText(`${typeName(name)}Record`, { ...schema, description: meaning })];
}

function record(data: JsonSchema): JsonSchema {
  return data.type === 'array' ? (data.items as JsonSchema) : data;
}

function takesSome({ parameters }: Described): boolean {
  return Object.keys(parameters.properties as object).length > 0;
}

function parametersOf({ name, parameters }: Described): string {
  return interfaceText(`${typeName(name)}Parameters`, parameters);
}

function operationsText(operations: readonly Described[]): string {
  const lines = operations.map((operation) => {
    const { name, data } = operation;
    const own = `${typeName(name)}Record`;
    const one = record(data).$ref ? typeText(record(data)) : own;
    const parameters = takesSome(operation) ? `${typeName(name)}Parameters` : 'NoParameters';
    return `  readonly ${key(name)}: {
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

function pathsText(operations: readonly Described[]): string {
  const lines = operations.map(({ name, path }) => `  ${key(name)}: '${path}',`);
  return `/** Where each operation is. */
export const PATHS = {
${lines.join('\n')}
} as const satisfies Readonly<Record<keyof Operations, string>>;
`;
}

function seriesText(catalogue: readonly Dataset[]): string {
  const named = (isSeries: boolean) =>
    catalogue.filter(({ shape }) => (shape === 'series') === isSeries).map(({ name }) => name);
  return `/** The statistical series. */
export const SERIES = [
${lines(named(true))}] as const;

export type SeriesName = (typeof SERIES)[number];

/** Every dataset: the series are among them. */
export type DatasetName = ${named(false)
    .map((name) => `'${name}' | `)
    .join('')}SeriesName;
`;
}

function tablesText(catalogue: readonly Dataset[], operations: readonly Described[]): string {
  const series = catalogue.filter(({ shape }) => shape === 'series').map(({ name }) => name);
  const others = operations.filter(({ name, hasForms }) => hasForms && !series.includes(name));
  return `/** Every operation that answers in other forms beside JSON. */
export const TABLES = [
${lines(others.map(({ name }) => name))}  ...SERIES,
] as const;

export type TableName = (typeof TABLES)[number];
`;
}

function lines(names: readonly string[]): string {
  return names.map((name) => `  '${name}',\n`).join('');
}

function mediaTypesText(): string {
  const lines = Object.entries(representations)
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

function exportsText(catalogue: readonly Dataset[]): string {
  return `/** Where whole datasets are. */
export const EXPORTS = '${wholeDatasets(catalogue).path}';

/** A form that a whole dataset can have. */
export type ExportFormat = ${EXPORT_FORMATS.map((format) => `'${format}'`).join(' | ')};
`;
}

function key(name: string): string {
  return /^\w+$/.test(name) ? name : `'${name}'`;
}
