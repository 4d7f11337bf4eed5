import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import type { JsonSchema } from '../../src/catalogue/model/json-schema.ts';
import { getKeyFields } from '../../src/schema/key-fields.ts';
import { getStorageTable } from '../../src/schema/storage-table.ts';
import { describeOperations } from './describe-operations.ts';

/** The path of each operation, the columns of its records, and the key of each dataset. */
export function generateColumns(catalogue: readonly Dataset[]): string {
  const { operations, schemas } = describeOperations(catalogue);
  const paths = operations.map(({ name, path }) => `    '${name}': '${path}',\n`);
  const columns = operations.flatMap(({ name, data }) => {
    if (data.type !== 'array') return [];
    const items = data.items as JsonSchema;
    const schema = schemas[String(items.$ref).split('/').pop() ?? ''] ?? items;
    const period = catalogue.find((dataset) => dataset.name === name)?.period;
    const lines = listColumns(schema, period && { [period.field]: period.kind.name });
    return [`    '${name}': (\n${lines.map((line) => `        (${line}),\n`).join('')}    ),\n`];
  });
  const keys = catalogue.map((dataset) => `    '${dataset.name}': (${formatKey(dataset)}),\n`);
  return [
    `PATHS: Dict[str, str] = {\n${paths.join('')}}\n`,
    `KEYS: Dict[str, Tuple[Tuple[str, bool], ...]] = {\n${keys.join('')}}\n`,
    `COLUMNS: Dict[str, Tuple[Tuple[str, str], ...]] = {\n${columns.join('')}}\n`,
  ].join('\n');
}

/** The fields that identify a record, in the order of the dataset, and whether the last is first. */
function formatKey(dataset: Dataset): string {
  const { key } = getStorageTable(dataset);
  const fields = getKeyFields(dataset);
  return fields
    .map((name, index) => `('${name}', ${key[index]?.isDescending ? 'True' : 'False'}),`)
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
      // A record of any dataset: the columns are in its values.
      if (schema.anyOf) return [];
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
