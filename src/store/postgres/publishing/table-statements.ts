import type { Table } from '../../../derive/table.ts';
import type { Key, Row } from '../../store.ts';
import type { Asked } from '../connection.ts';
import { send } from '../connection.ts';
import type { Arrays } from './arrays.ts';
import { arraysOf } from './arrays.ts';
import { keysOf } from './keys.ts';

/** What a revision does to one table, for many rows at a time. */
export interface TableStatements {
  /** Adds the rows whose keys are not there; gives those keys. */
  add(rows: readonly Row[]): Promise<Key[]>;
  /** The records that stand under these keys. */
  standing(keys: readonly Key[]): Promise<StandingRow[]>;
  /** Moves the records with the rows' keys into the past, and puts the rows in their place. */
  correct(rows: readonly Row[]): Promise<void>;
  /** Moves the records under these keys into the past. */
  remove(keys: readonly Key[]): Promise<void>;
  /** Remembers keys that leave no mark in the table; there may be more than memory holds. */
  see(keys: readonly Key[]): Promise<void>;
  /** Which of the keys were remembered. */
  seen(keys: readonly Key[]): Promise<Key[]>;
  /** Lists the keys that this revision has not been given, in `tenor_absent`. */
  findAbsent(): Promise<void>;
}

export interface StandingRow {
  readonly key: Key;
  readonly record: string;
  readonly since: number;
}

/** The statements for a table, within a revision; its transaction gets a list of its own. */
export async function tableStatements(
  connection: Asked,
  table: Table,
  revision: number,
): Promise<TableStatements> {
  const { now, past } = table;
  const columns = table.columns.map(({ name }) => name);
  const { names, ofRow } = keysOf(table);
  const keyArrays = arraysOf(table, names);
  const rowArrays = arraysOf(table, [...columns, 'record']);
  const stored = [...columns, 'record', 'since'].join(', ');
  const replaced = [...columns, 'record'].filter((name) => !names.includes(name));
  const list = (from: string) => names.map((name) => `${from}.${name}`).join(', ');
  const same = (a: string, b: string) =>
    names.map((name) => `${a}.${name} = ${b}.${name}`).join(' AND ');
  let seenCount = 0;

  const ask = (sql: string, values?: unknown[]) => send(connection, sql, values);
  const askFor = async (sql: string, arrays: Arrays, rows: readonly Key[], after: Key = []) =>
    rows.length === 0 ? [] : ask(sql, [...arrays.values(connection, rows), ...after]);
  const keysIn = (rows: object[]): Key[] => rows.map((row) => Object.values(row));
  const cells = ({ columns, text }: Row) => [...columns, text];

  await ask('DROP TABLE IF EXISTS tenor_seen');
  await ask(`CREATE TEMP TABLE tenor_seen AS SELECT ${names.join(', ')} FROM ${now} WITH NO DATA`);
  await ask(`CREATE UNIQUE INDEX tenor_seen_key ON tenor_seen (${names.join(', ')})`);

  const until = `$${names.length + 1}::integer`;
  const keep = `INSERT INTO ${past} (${stored}, until)
    SELECT ${stored.replace(/\w+/g, 'n.$&')}, ${until}
    FROM ${now} AS n JOIN ${keyArrays.as('k', 1)} ON ${same('n', 'k')}`;
  const since = `$${columns.length + 2}::integer`;
  return {
    add: async (rows) =>
      keysIn(
        await askFor(
          `INSERT INTO ${now} (${stored}) SELECT r.*, ${since} FROM ${rowArrays.as('r', 1)}
            ON CONFLICT DO NOTHING RETURNING ${names.join(', ')}`,
          rowArrays,
          rows.map(cells),
          [revision],
        ),
      ),
    standing: async (keys) => {
      const found = await askFor(
        `SELECT n.record, n.since, ${list('n')} FROM ${now} AS n
          JOIN ${keyArrays.as('k', 1)} ON ${same('n', 'k')}`,
        keyArrays,
        keys,
      );
      return found.map((row) => {
        const { record, since, ...key } = row as Omit<StandingRow, 'key'>;
        return { key: Object.values(key), record, since };
      });
    },
    async correct(rows) {
      await askFor(keep, keyArrays, rows.map(ofRow), [revision]);
      const setting = replaced.map((name) => `${name} = r.${name}`).join(', ');
      await askFor(
        `UPDATE ${now} AS n SET ${setting}, since = ${since}
          FROM ${rowArrays.as('r', 1)} WHERE ${same('n', 'r')}`,
        rowArrays,
        rows.map(cells),
        [revision],
      );
    },
    async remove(keys) {
      await askFor(keep, keyArrays, keys, [revision]);
      const gone = `DELETE FROM ${now} AS n USING ${keyArrays.as('k', 1)} WHERE ${same('n', 'k')}`;
      await askFor(gone, keyArrays, keys);
    },
    async see(keys) {
      const sql = `INSERT INTO tenor_seen SELECT k.* FROM ${keyArrays.as('k', 1)}`;
      await askFor(sql, keyArrays, keys);
      seenCount += keys.length;
    },
    seen: async (keys) => {
      if (seenCount === 0) return [];
      const sql = `SELECT ${list('k')} FROM ${keyArrays.as('k', 1)}
        JOIN tenor_seen AS s ON ${same('s', 'k')}`;
      return keysIn(await askFor(sql, keyArrays, keys));
    },
    async findAbsent() {
      await ask('DROP TABLE IF EXISTS tenor_absent');
      await ask(
        `CREATE TEMP TABLE tenor_absent AS SELECT ${names.join(', ')} FROM ${now} WHERE since < $1`,
        [revision],
      );
      await ask(`DELETE FROM tenor_absent AS a USING tenor_seen AS s WHERE ${same('a', 's')}`);
    },
  };
}
