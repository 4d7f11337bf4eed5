import type { Database } from 'bun:sqlite';
import type { Dataset } from '../../catalogue/dataset.ts';
import type { Table } from '../../derive/table.ts';
import { tableBeside } from '../../derive/table.ts';
import type { RowSum } from '../checksum.ts';
import type { SecurityTerms } from '../store.ts';
import { sameKey } from './changes.ts';
import { writerOf } from './writer.ts';

type Terms = ReadonlyMap<string, SecurityTerms | null>;

/** The terms that stand, by folded symbol. */
export function termsIn(database: Database, dataset: Dataset): ReadonlyMap<string, SecurityTerms> {
  const table = tableBeside(dataset);
  if (!table) return new Map();
  const rows = database.query<TermsRow, []>(`SELECT symbol_key, record FROM ${table.now}`).all();
  return new Map(rows.map(({ symbol_key, record }) => [symbol_key, termsOf(record)]));
}

/** Keeps terms as a part of a revision, and adds them to its sum; gives how many changed. */
export function keepTerms(
  database: Database,
  dataset: Dataset,
  revision: number,
  terms: Terms,
  sum: RowSum,
): number {
  const table = tableBeside(dataset);
  if (!table || terms.size === 0) return 0;
  const write = writerOf(database, table, revision, sum);
  let changed = 0;
  for (const [symbol, known] of terms) {
    const done = known
      ? write.put({ columns: [symbol], text: textOf(symbol, known) })
      : write.retire([symbol]);
    if (done !== 'unchanged') changed++;
  }
  return changed;
}

/** What stood before a revision, of the securities whose terms are as it left them. */
export function termsBefore(database: Database, dataset: Dataset, revision: number): Terms {
  const table = tableBeside(dataset);
  if (!table) return new Map();
  const rows = database.query<BeforeRow, [number, number]>(before(table)).all(revision, revision);
  return new Map(
    rows.map(({ symbol_key, record }) => [symbol_key, record === null ? null : termsOf(record)]),
  );
}

/** Symbols whose terms began with a revision, each with the text that it replaced; takes R, R. */
function before(table: Table): string {
  return `SELECT new.symbol_key, old.record FROM ${table.now} AS new
    LEFT JOIN ${table.past} AS old ON ${sameKey(table, 'old', 'new')} AND old.until = ?
    WHERE new.since = ?`;
}

/** In one order, so that the same terms have the same text. */
function textOf(symbol: string, { couponRate, couponFrequency, pricing }: SecurityTerms): string {
  return JSON.stringify({ symbol, couponRate, couponFrequency, pricing });
}

function termsOf(text: string): SecurityTerms {
  const { couponRate, couponFrequency, pricing } = JSON.parse(text) as SecurityTerms;
  return { couponRate, couponFrequency, pricing };
}

interface TermsRow {
  readonly symbol_key: string;
  readonly record: string;
}

interface BeforeRow extends Omit<TermsRow, 'record'> {
  readonly record: string | null;
}
