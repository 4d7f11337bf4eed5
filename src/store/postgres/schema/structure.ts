import type { Dataset } from '../../../catalogue/dataset.ts';
import { definitionsOf, migrationsIn } from '../../sql/schema.ts';
import type { Asked } from '../connection.ts';
import { ask } from '../connection.ts';
import { postgresTables } from '../dialect.ts';

/** Tables, indexes and views that are missing or not as Tenor makes them, each in a few words. */
export async function strays(asked: Asked, catalogue: readonly Dataset[]): Promise<string[]> {
  const found = await foundIn(asked);
  return [...expected(catalogue)].flatMap(([name, text]) => {
    if (found.get(name) === text) return [];
    return [found.has(name) ? `${name} is not as made` : `${name} is missing`];
  });
}

/** By kind and name, each with the text that tells it from anything else. */
type Structure = ReadonlyMap<string, string>;

/** What the statements make that a new database is made with. */
function expected(catalogue: readonly Dataset[]): Structure {
  const own = catalogue.flatMap((dataset) => definitionsOf(dataset, postgresTables));
  const statements = [...migrationsIn(postgresTables), ...own.map(({ sql }) => sql)];
  const made = new Map<string, string>();
  for (const sql of statements.map((text) => text.replace(/\s+/g, ' '))) {
    const [, kind = '', name = '', rest = ''] = MAKING.exec(sql) ?? [];
    if (kind === 'TABLE') {
      const columns = inside(rest).map(columnOf);
      made.set(`table ${name}`, columns.map(({ text }) => text).join(', '));
      for (const index of columns.flatMap((column) => indexOf(name, column))) {
        made.set(`index ${index.name}`, index.sql);
      }
    } else if (kind === 'INDEX') made.set(`index ${name}`, sql);
    else if (kind === 'VIEW') made.set(`view ${name}`, viewColumns(rest));
    const [, table = '', added = ''] = ADDING.exec(sql) ?? [];
    if (table) made.set(`table ${table}`, `${made.get(`table ${table}`)}, ${columnOf(added).text}`);
  }
  return made;
}

const MAKING = /^CREATE (?:UNIQUE )?(TABLE|INDEX|VIEW) (\w+) (.*)$/;
const ADDING = /^ALTER TABLE (\w+) ADD COLUMN (.*)$/;

/** What stands between the parentheses of a table. */
function inside(rest: string): string[] {
  return rest
    .slice(1, -1)
    .split(',')
    .map((column) => column.trim());
}

interface MadeColumn {
  readonly name: string;
  readonly text: string;
  /** What its index is called behind the table's name, where it has one of its own. */
  readonly index: 'pkey' | 'key' | undefined;
}

/** A column as the server tells it. */
function columnOf(definition: string): MadeColumn {
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
function indexOf(table: string, { name: column, index }: MadeColumn) {
  if (!index) return [];
  const name = index === 'pkey' ? `${table}_pkey` : `${table}_${column}_key`;
  return [{ name, sql: `CREATE UNIQUE INDEX ${name} ON ${table} (${column})` }];
}

/** Of a view the server keeps what it means: the names of its columns tell enough. */
function viewColumns(rest: string): string {
  return [...rest.matchAll(/ AS "?(\w+)"?[, ]/g)].map(([, name]) => name).join(', ');
}

async function foundIn(asked: Asked): Promise<Structure> {
  const rows = async (sql: string) =>
    (await ask(asked, { sql, values: [] })) as { name: string; text: string }[];
  return new Map(
    [...(await rows(TABLES)), ...(await rows(INDEXES)), ...(await rows(VIEWS))].map(
      ({ name, text }) => [name, text],
    ),
  );
}

const OURS = 'relnamespace = to_regnamespace(current_schema())';
const COLUMNS = `pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped`;

const TABLES = `SELECT 'table ' || relname AS name, string_agg(
    attname || ' ' || format_type(atttypid, atttypmod)
      || CASE WHEN collname <> 'default' THEN ' COLLATE "' || collname || '"' ELSE '' END
      || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END, ', ' ORDER BY attnum) AS text
  FROM ${COLUMNS} LEFT JOIN pg_collation ON pg_collation.oid = attcollation
  WHERE relkind IN ('r', 'p') AND ${OURS} GROUP BY relname`;

/** An index that was not finished, or that the server itself holds for broken, is not as made. */
const INDEXES = `SELECT 'index ' || relname AS name,
    CASE WHEN indisvalid AND indisready THEN '' ELSE 'not valid: ' END
      || regexp_replace(pg_get_indexdef(indexrelid, 0, true), ' USING btree| ONLY', '', 'g') AS text
  FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE ${OURS}`;

const VIEWS = `SELECT 'view ' || relname AS name, string_agg(attname, ', ' ORDER BY attnum) AS text
  FROM ${COLUMNS} WHERE relkind = 'v' AND ${OURS} GROUP BY relname`;
