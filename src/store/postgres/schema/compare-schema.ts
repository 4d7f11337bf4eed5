import type { Dataset } from '../../../catalogue/model/dataset.ts';
import { getMigrations, getSchemaDefinitions } from '../../sql/schema.ts';
import type { SqlExecutor } from '../connection.ts';
import { query } from '../connection.ts';
import { postgresTableDialect } from '../dialect.ts';

/** Tables, indexes and views that are missing or not as Tenor makes them, each in a few words. */
export async function findSchemaDifferences(
  executor: SqlExecutor,
  catalogue: readonly Dataset[],
): Promise<string[]> {
  const found = await readActualSchema(executor);
  return [...buildExpectedSchema(catalogue)].flatMap(([name, text]) => {
    if (found.get(name) === text) return [];
    return [found.has(name) ? `${name} is not as made` : `${name} is missing`];
  });
}

/** By kind and name, each with the text that tells it from anything else. */
type SchemaObjects = ReadonlyMap<string, string>;

/** What the statements make that a new database is made with. */
function buildExpectedSchema(catalogue: readonly Dataset[]): SchemaObjects {
  const own = catalogue.flatMap((dataset) => getSchemaDefinitions(dataset, postgresTableDialect));
  const statements = [...getMigrations(postgresTableDialect), ...own.map(({ sql }) => sql)];
  const made = new Map<string, string>();
  for (const sql of statements.map((text) => text.replace(/\s+/g, ' '))) {
    const [, kind = '', name = '', rest = ''] = CREATE_PATTERN.exec(sql) ?? [];
    if (kind === 'TABLE') {
      const columns = splitColumnList(rest).map(parseColumnDefinition);
      made.set(`table ${name}`, columns.map(({ text }) => text).join(', '));
      for (const index of columns.flatMap((column) => impliedIndexes(name, column))) {
        made.set(`index ${index.name}`, index.sql);
      }
    } else if (kind === 'INDEX') made.set(`index ${name}`, sql);
    else if (kind === 'VIEW') made.set(`view ${name}`, parseViewColumns(rest));
    const [, table = '', added = ''] = ADD_COLUMN_PATTERN.exec(sql) ?? [];
    if (table)
      made.set(
        `table ${table}`,
        `${made.get(`table ${table}`)}, ${parseColumnDefinition(added).text}`,
      );
  }
  return made;
}

const CREATE_PATTERN = /^CREATE (?:UNIQUE )?(TABLE|INDEX|VIEW) (\w+) (.*)$/;
const ADD_COLUMN_PATTERN = /^ALTER TABLE (\w+) ADD COLUMN (.*)$/;

/** What stands between the parentheses of a table. */
function splitColumnList(rest: string): string[] {
  return rest
    .slice(1, -1)
    .split(',')
    .map((column) => column.trim());
}

interface ParsedColumn {
  readonly name: string;
  readonly text: string;
  /** What its index is called behind the table's name, where it has one of its own. */
  readonly index: 'pkey' | 'key' | undefined;
}

/** A column as the server tells it. */
function parseColumnDefinition(definition: string): ParsedColumn {
  const [, name = '', type = '', collation = '', rest = ''] =
    /^(\w+) (\w+)( COLLATE "\w+")?(.*)$/.exec(definition) ?? [];
  const isKey = rest.includes('PRIMARY KEY');
  const mandatory = isKey || rest.includes('NOT NULL') ? ' NOT NULL' : '';
  return {
    name,
    text: `${name} ${type.toLowerCase()}${collation}${mandatory}`,
    index: isKey ? 'pkey' : rest.includes('UNIQUE') ? 'key' : undefined,
  };
}

/** The index that PostgreSQL makes for a column whose values are all different. */
function impliedIndexes(table: string, { name: column, index }: ParsedColumn) {
  if (!index) return [];
  const name = index === 'pkey' ? `${table}_pkey` : `${table}_${column}_key`;
  return [{ name, sql: `CREATE UNIQUE INDEX ${name} ON ${table} (${column})` }];
}

/** Of a view the server keeps what it means: the names of its columns tell enough. */
function parseViewColumns(rest: string): string {
  return [...rest.matchAll(/ AS "?(\w+)"?[, ]/g)].map(([, name]) => name).join(', ');
}

async function readActualSchema(executor: SqlExecutor): Promise<SchemaObjects> {
  const rows = async (sql: string) =>
    (await query(executor, { sql, values: [] })) as { name: string; text: string }[];
  return new Map(
    [...(await rows(TABLES_SQL)), ...(await rows(INDEXES_SQL)), ...(await rows(VIEWS_SQL))].map(
      ({ name, text }) => [name, text],
    ),
  );
}

const IN_CURRENT_SCHEMA = 'relnamespace = to_regnamespace(current_schema())';
const COLUMNS_SQL = `pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped`;

const TABLES_SQL = `SELECT 'table ' || relname AS name, string_agg(
    attname || ' ' || format_type(atttypid, atttypmod)
      || CASE WHEN collname <> 'default' THEN ' COLLATE "' || collname || '"' ELSE '' END
      || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END, ', ' ORDER BY attnum) AS text
  FROM ${COLUMNS_SQL} LEFT JOIN pg_collation ON pg_collation.oid = attcollation
  WHERE relkind IN ('r', 'p') AND ${IN_CURRENT_SCHEMA} GROUP BY relname`;

/** An index that was not finished, or that the server itself holds for broken, is not as made. */
const INDEXES_SQL = `SELECT 'index ' || relname AS name,
    CASE WHEN indisvalid AND indisready THEN '' ELSE 'not valid: ' END
      || regexp_replace(pg_get_indexdef(indexrelid, 0, true), ' USING btree| ONLY', '', 'g') AS text
  FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE ${IN_CURRENT_SCHEMA}`;

const VIEWS_SQL = `SELECT 'view ' || relname AS name, string_agg(attname, ', ' ORDER BY attnum) AS text
  FROM ${COLUMNS_SQL} WHERE relkind = 'v' AND ${IN_CURRENT_SCHEMA} GROUP BY relname`;
