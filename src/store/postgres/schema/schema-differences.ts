import type { Dataset } from '../../../catalogue/model/dataset.ts';
import {
  compareSchemas,
  getMigrations,
  getSchemaDefinitions,
  type SchemaObjects,
} from '../../sql/schema.ts';
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
  return compareSchemas(actual, buildExpectedSchema(catalogue));
}

function buildExpectedSchema(catalogue: readonly Dataset[]): SchemaObjects {
  const statements = [
    ...getMigrations(postgresTableDialect).flatMap((migration) => migration.split('; ')),
    ...getSchemaDefinitions(catalogue, postgresTableDialect).map(({ sql }) => sql),
  ];
  const expected = new Map<string, string>();
  for (const sql of statements.map((text) => text.replace(/\s+/g, ' '))) {
    const [, kind, name = '', definition = ''] = CREATE_PATTERN.exec(sql) ?? [];
    if (kind === 'TABLE') {
      const columns = definition.slice(1, -1).split(',').map(parseColumnDefinition);
      expected.set(`table ${name}`, columns.map(({ text }) => text).join(', '));
      for (const { name: column, indexSuffix } of columns) {
        if (!indexSuffix) continue;
        const index = `${name}_${indexSuffix}`;
        expected.set(`index ${index}`, `CREATE UNIQUE INDEX ${index} ON ${name} (${column})`);
      }
    } else if (kind === 'INDEX') expected.set(`index ${name}`, sql);
    else if (kind === 'VIEW') {
      // PostgreSQL does not store the text of a view: only the names of its columns are compared.
      expected.set(`view ${name}`, listViewColumns(definition));
    }
    const [, table, column = ''] = ADD_COLUMN_PATTERN.exec(sql) ?? [];
    if (table) {
      const columns = expected.get(`table ${table}`);
      expected.set(`table ${table}`, `${columns}, ${parseColumnDefinition(column).text}`);
    }
  }
  return expected;
}

/** The names of the columns of a view, as its definition lists them. */
export function listViewColumns(sql: string): string {
  const [columnList = ''] = sql.split(' FROM ');
  return [...columnList.matchAll(/ AS "?(\w+)"?(?=,|$)/g)].map(([, column]) => column).join(', ');
}

// Not what a migration creates if it does not exist: the same one drops it.
const CREATE_PATTERN =
  /^CREATE (?:UNIQUE )?(TABLE|INDEX|VIEW) (?!IF NOT EXISTS)(\w+) (.*?)(?: WITH \([^)]*\))?$/;
const ADD_COLUMN_PATTERN = /^ALTER TABLE (\w+) ADD COLUMN (.*)$/;

/** A column as TABLES_SQL describes it, and how the name of its own unique index ends, if any. */
function parseColumnDefinition(definition: string) {
  const [, name = '', type = '', collation = '', constraints = ''] =
    /^(\w+) (\w+)( COLLATE "\w+")?(.*)$/.exec(definition.trim()) ?? [];
  const isKey = constraints.includes('PRIMARY KEY');
  const notNull = isKey || constraints.includes('NOT NULL') ? ' NOT NULL' : '';
  const uniqueSuffix = constraints.includes('UNIQUE') ? `${name}_key` : undefined;
  return {
    name,
    text: `${name} ${type.toLowerCase()}${collation}${notNull}`,
    indexSuffix: isKey ? 'pkey' : uniqueSuffix,
  };
}

const IN_CURRENT_SCHEMA = 'relnamespace = to_regnamespace(current_schema())';
const COLUMNS_SQL = `pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped`;

const TABLES_SQL = `SELECT 'table ' || relname AS name, string_agg(
    attname || ' ' || format_type(atttypid, atttypmod)
      || CASE WHEN collname <> 'default' THEN ' COLLATE "' || collname || '"' ELSE '' END
      || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END, ', ' ORDER BY attnum) AS text
  FROM ${COLUMNS_SQL} LEFT JOIN pg_collation ON pg_collation.oid = attcollation
  WHERE relkind IN ('r', 'p') AND ${IN_CURRENT_SCHEMA} GROUP BY relname`;

/** The definition of a row of pg_index, as Tenor writes it. */
export const INDEX_DEFINITION_SQL =
  "regexp_replace(pg_get_indexdef(indexrelid, 0, true), ' USING btree| ONLY', '', 'g')";

/** An unfinished or invalid index differs from the expected one. */
const INDEXES_SQL = `SELECT 'index ' || relname AS name,
    CASE WHEN indisvalid AND indisready THEN '' ELSE 'not valid: ' END
      || ${INDEX_DEFINITION_SQL} AS text
  FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE ${IN_CURRENT_SCHEMA}`;

const VIEWS_SQL = `SELECT 'view ' || relname AS name, string_agg(attname, ', ' ORDER BY attnum) AS text
  FROM ${COLUMNS_SQL} WHERE relkind = 'v' AND ${IN_CURRENT_SCHEMA} GROUP BY relname`;
