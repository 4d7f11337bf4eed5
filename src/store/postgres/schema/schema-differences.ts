import type { Dataset } from '../../../catalogue/model/dataset.ts';
import type { ColumnDefinition, SchemaDefinition, TableDefinition } from '../../sql/dialect.ts';
import { compareSchemas, getSchemaDefinitions } from '../../sql/schema.ts';
import { getSharedDefinitions } from '../../sql/shared-schema.ts';
import { postgresTableDialect } from '../dialect.ts';
import { execute, type SqlExecutor } from '../query.ts';

/** Tables, indexes and views that are missing or differ from those of a new database. */
export async function findSchemaDifferences(
  executor: SqlExecutor,
  catalogue: readonly Dataset[],
): Promise<string[]> {
  const rows: { name: string; text: string }[] = [];
  for (const sql of [TABLES_SQL, INDEXES_SQL, VIEWS_SQL]) {
    rows.push(...(await execute<{ name: string; text: string }>(executor, sql)));
  }
  const actual = new Map(rows.map(({ name, text }) => [name, text]));
  const definitions = [
    ...getSharedDefinitions(postgresTableDialect),
    ...getSchemaDefinitions(catalogue, postgresTableDialect),
  ];
  return compareSchemas(actual, new Map(definitions.flatMap(describe)));
}

/** Names and texts of a definition, as the statements below select them. */
function describe(definition: SchemaDefinition): [name: string, text: string][] {
  const { kind, name } = definition;
  if (kind === 'index') return [[`index ${name}`, definition.sql]];
  // PostgreSQL does not store the text of a view: only the names of its columns are compared.
  if (kind === 'view') return [[`view ${name}`, definition.columnNames.join(', ')]];
  const columns = definition.columns.map(describeColumn).join(', ');
  return [[`table ${name}`, columns], ...describeOwnIndexes(definition)];
}

function describeColumn({ name, type, constraint }: ColumnDefinition): string {
  return `${name} ${TYPES[type]}${constraint === 'NULL' ? '' : ' NOT NULL'}`;
}

const TYPES = { text: 'text COLLATE "C"', integer: 'integer', bytes: 'bytea' };

/** The indexes that constraints of columns create. */
function describeOwnIndexes({ name, columns }: TableDefinition): [name: string, text: string][] {
  return columns.flatMap((column) => {
    const isKey = column.constraint === 'PRIMARY KEY';
    if (!isKey && column.constraint !== 'UNIQUE') return [];
    const index = isKey ? `${name}_pkey` : `${name}_${column.name}_key`;
    return [[`index ${index}`, `CREATE UNIQUE INDEX ${index} ON ${name} (${column.name})`]];
  });
}

const IN_CURRENT_SCHEMA = 'relnamespace = to_regnamespace(current_schema())';
const COLUMNS_SQL = `pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped`;

const TABLES_SQL = `SELECT 'table ' || relname AS name, string_agg(
    attname || ' ' || format_type(atttypid, atttypmod)
      || CASE WHEN collname <> 'default' THEN ' COLLATE "' || collname || '"' ELSE '' END
      || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END, ', ' ORDER BY attnum) AS text
  FROM ${COLUMNS_SQL} LEFT JOIN pg_collation ON pg_collation.oid = attcollation
  WHERE relkind IN ('r', 'p') AND ${IN_CURRENT_SCHEMA} GROUP BY relname`;

/** An unfinished or invalid index differs from the expected one. */
const INDEXES_SQL = `SELECT 'index ' || relname AS name,
    CASE WHEN indisvalid AND indisready THEN '' ELSE 'not valid: ' END
      || regexp_replace(pg_get_indexdef(indexrelid, 0, true), ' USING btree| ONLY', '', 'g') AS text
  FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE ${IN_CURRENT_SCHEMA}`;

const VIEWS_SQL = `SELECT 'view ' || relname AS name, string_agg(attname, ', ' ORDER BY attnum) AS text
  FROM ${COLUMNS_SQL} WHERE relkind = 'v' AND ${IN_CURRENT_SCHEMA} GROUP BY relname`;
