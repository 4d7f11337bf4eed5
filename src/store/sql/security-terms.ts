import type { Dataset } from '../../catalogue/model/dataset.ts';
import { getAuxiliaryTable } from '../../schema/auxiliary-table.ts';
import type { SecurityTerms } from '../publisher.ts';
import type { RevisionedList, SecurityTermsEntry } from '../reader.ts';
import type { EncodedRow, RecordKey } from '../rows.ts';
import { findNewestRevision } from './ledger.ts';
import { type QuerySteps, queryRows } from './query-steps.ts';
import { keysEqualSql } from './sql-fragments.ts';

type TermChanges = ReadonlyMap<string, SecurityTerms | null>;

export function* readTerms(dataset: Dataset): QuerySteps<ReadonlyMap<string, SecurityTerms>> {
  const table = getAuxiliaryTable(dataset);
  if (!table) return new Map();
  const rows = yield* queryRows<TermsRow<string>>({
    sql: `SELECT symbol_key, record FROM ${table.currentTable}`,
  });
  return new Map(rows.map(({ symbol_key, record }) => [symbol_key, parseTerms(record)]));
}

/** The terms of all securities as of a revision, by symbol. */
export function* findSecurityTerms(
  dataset: Dataset,
  asOf: number | undefined,
): QuerySteps<RevisionedList<SecurityTermsEntry>> {
  const revision = asOf ?? (yield* findNewestRevision());
  const table = getAuxiliaryTable(dataset);
  if (!table) return { revision, entries: [] };
  const rows = yield* queryRows<TermsRow<string>>({
    sql: `SELECT symbol_key, record FROM ${table.currentTable} WHERE since <= ?
      UNION ALL SELECT symbol_key, record FROM ${table.historyTable} WHERE since <= ? AND until > ?
      ORDER BY symbol_key`,
    values: [revision, revision, revision],
  });
  const entries = rows.map(({ symbol_key: symbol, record }) => ({
    symbol,
    ...parseTerms(record),
    floating: null,
  }));
  return { revision, entries };
}

export function toTermRows(terms: TermChanges): { rows: EncodedRow[]; retired: RecordKey[] } {
  const rows: EncodedRow[] = [];
  const retired: RecordKey[] = [];
  for (const [symbol, term] of terms) {
    if (!term) retired.push([symbol]);
    else {
      // In one order, so that equal terms have equal texts.
      const { couponRate, couponFrequency, pricing } = term;
      const json = JSON.stringify({ symbol, couponRate, couponFrequency, pricing });
      rows.push({ columns: [symbol], json });
    }
  }
  return { rows, retired };
}

/** The terms before a revision, of the securities whose terms have not changed since. */
export function* findPreviousTerms(dataset: Dataset, revision: number): QuerySteps<TermChanges> {
  const table = getAuxiliaryTable(dataset);
  if (!table) return new Map();
  const rows = yield* queryRows<TermsRow<string | null>>({
    sql: `SELECT new.symbol_key, old.record FROM ${table.currentTable} AS new
      LEFT JOIN ${table.historyTable} AS old ON ${keysEqualSql(table, 'old', 'new')} AND old.until = ?
      WHERE new.since = ?`,
    values: [revision, revision],
  });
  return new Map(
    rows.map(({ symbol_key, record }) => [symbol_key, record === null ? null : parseTerms(record)]),
  );
}

interface TermsRow<Text> {
  readonly symbol_key: string;
  readonly record: Text;
}

function parseTerms(text: string): SecurityTerms {
  const { couponRate, couponFrequency, pricing } = JSON.parse(text) as SecurityTerms;
  return { couponRate, couponFrequency, pricing };
}
