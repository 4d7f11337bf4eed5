import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import { getRowSchemas, type JsonSchema } from '../../src/catalogue/model/json-schema.ts';
import {
  RESPONSE_FORMATS,
  type ResponseFormatName,
} from '../../src/catalogue/model/response-format.ts';
import { curveOperation } from '../../src/operations/curve/curve-operation.ts';
import { getKeyFields } from '../../src/schema/key-fields.ts';
import { describeOperations } from './describe-operations.ts';

/** Paths of what is read by a name of the publisher, and of files. */
const OTHER_PATHS = [
  ['dataset', '/datasets/{dataset}'],
  ['series', '/3.0/alternate/{series}'],
  ['exports', '/exports/{dataset}.{format}'],
] as const;

/** Every format of responses but JSON. */
export function listFormatNames(): ResponseFormatName[] {
  const names = Object.keys(RESPONSE_FORMATS) as ResponseFormatName[];
  return names.filter((name) => name !== 'json');
}

/** The path of each operation, the columns of its records, and the key of each dataset. */
export function generateColumns(catalogue: readonly Dataset[]): string {
  const { operations, schemas } = describeOperations(catalogue);
  const paths = [...operations.map(({ name, path }) => [name, path]), ...OTHER_PATHS].map(
    ([name, path]) => `    '${name}': '${path}',\n`,
  );
  const timeless = operations.filter(
    ({ parameters }) => !('as_of' in Object(parameters.properties)),
  );
  const columns = operations.flatMap(({ name, data }) => {
    if (data.type !== 'array') return [];
    const items = data.items as JsonSchema;
    const schema = schemas[String(items.$ref).split('/').pop() ?? ''] ?? items;
    const period = catalogue.find((dataset) => dataset.name === name)?.period;
    const columns = listColumns(schema, period && { [period.field]: period.kind.name });
    return [formatColumns(name, name === curveOperation.name ? listCurveColumns(schema) : columns)];
  });
  const references = catalogue.filter(({ shape }) => shape === 'reference');
  const recordColumns = references.map(({ name, fields }) => {
    const properties = Object.entries(fields).map(([field, { schema }]) => [field, schema]);
    return formatColumns(name, listColumns({ properties: Object.fromEntries(properties) }));
  });
  const mediaTypes = listFormatNames().map(
    (name) => `    '${name}': '${RESPONSE_FORMATS[name].mediaType}',\n`,
  );
  const keys = catalogue.map((dataset) => `    '${dataset.name}': (${formatKey(dataset)}),\n`);
  return [
    `PATHS: Dict[str, str] = {\n${paths.join('')}}\n`,
    '# Operations of the ledger, which has no past.',
    `TIMELESS = (${timeless.map(({ name }) => `'${name}'`).join(', ')})\n`,
    `KEYS: Dict[str, Tuple[str, ...]] = {\n${keys.join('')}}\n`,
    `COLUMNS: Dict[str, Tuple[Tuple[str, str], ...]] = {\n${columns.join('')}}\n`,
    `RECORD_COLUMNS: Dict[str, Tuple[Tuple[str, str], ...]] = {\n${recordColumns.join('')}}\n`,
    `MEDIA_TYPES: Dict[str, str] = {\n${mediaTypes.join('')}}\n`,
  ].join('\n');
}

function formatColumns(name: string, columns: readonly string[]): string {
  return `    '${name}': (\n${columns.map((column) => `        (${column}),\n`).join('')}    ),\n`;
}

/** A row for each point of a curve, with the figures and texts of the curve itself. */
function listCurveColumns({ properties }: JsonSchema): string[] {
  const schemas = properties as Readonly<Record<string, JsonSchema>>;
  return listColumns({ properties: getRowSchemas(schemas, curveOperation.rowList) });
}

function formatKey(dataset: Dataset): string {
  return getKeyFields(dataset)
    .map((field) => `'${field}',`)
    .join(' ');
}

/** The name and kind of each field; those of nested objects are named `outer.inner`. */
function listColumns(
  { properties }: JsonSchema,
  periodKinds: Readonly<Record<string, string>> = {},
  prefix = '',
): string[] {
  return Object.entries(properties as Readonly<Record<string, JsonSchema>>).flatMap(
    ([name, schema]) => {
      // A record of any dataset.
      if (schema.anyOf) return [`'${prefix}${name}', 'record'`];
      if (schema.properties) return listColumns(schema, {}, `${prefix}${name}.`);
      return [`'${prefix}${name}', '${periodKinds[name] ?? getKind(schema)}'`];
    },
  );
}

function getKind({ type, format, items }: JsonSchema): string {
  const [name] = [type].flat().filter((text) => text !== 'null');
  if (name === 'string') return TEXT_KINDS[String(format)] ?? 'text';
  if (name === 'array') {
    const { key, value } = ((items as JsonSchema).properties ?? {}) as Record<string, JsonSchema>;
    return key && value ? `keyed ${getKind(value)}` : 'other';
  }
  return ['number', 'integer', 'boolean'].includes(String(name)) ? String(name) : 'other';
}

const TEXT_KINDS: Readonly<Record<string, string>> = { date: 'day', 'date-time': 'instant' };
