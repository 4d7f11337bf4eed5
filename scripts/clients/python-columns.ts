import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import { getRowSchemas, type JsonSchema } from '../../src/catalogue/model/json-schema.ts';
import { RESPONSE_FORMATS } from '../../src/catalogue/model/response-format.ts';
import { curveOperation } from '../../src/operations/curve/curve-operation.ts';
import { describeOperations } from './describe-operations.ts';
import { describeRecordOrder } from './record-order.ts';

/** The path of each operation, the columns of its records, and the key of each dataset. */
export function generateColumns(catalogue: readonly Dataset[]): string {
  const { operations, schemas } = describeOperations(catalogue);
  const paths = operations.map(({ name, path }) => `    '${name}': '${path}',\n`);
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
  const mediaTypes = Object.entries(RESPONSE_FORMATS)
    .filter(([name]) => name !== 'json')
    .map(([name, { mediaType }]) => `    '${name}': '${mediaType}',\n`);
  const keys = catalogue.map((dataset) => `    '${dataset.name}': (${formatKey(dataset)}),\n`);
  return [
    `PATHS: Dict[str, str] = {\n${paths.join('')}}\n`,
    `KEYS: Dict[str, Tuple[Tuple[str, str], ...]] = {\n${keys.join('')}}\n`,
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
  const fields = describeRecordOrder(dataset);
  return fields.map(({ field, order }) => `('${field}', '${order}'),`).join(' ');
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
