import type { Dataset } from '../../catalogue/model/dataset.ts';
import { getAuxiliaryTable } from '../../schema/auxiliary-table.ts';
import type { StorageTable } from '../../schema/storage-table.ts';
import type { EncodedRow, RecordKey, SecurityTerms } from '../publisher.ts';
import type { QuerySteps } from './query-steps.ts';
import { queryRows } from './query-steps.ts';
import { keysEqualSql } from './revision-changes.ts';

type TermChanges = ReadonlyMap<string, SecurityTerms | null>;

/** The terms that stand, by folded symbol. */
export function* readTerms(dataset: Dataset): QuerySteps<ReadonlyMap<string, SecurityTerms>> {
  const table = getAuxiliaryTable(dataset);
  if (!table) return new Map();
  const rows = yield* queryRows<TermsRow>(`SELECT symbol_key, record FROM ${table.currentTable}`);
  return new Map(rows.map(({ symbol_key, record }) => [symbol_key, parseTerms(record)]));
}

/** Terms as rows of their table, and keys of those to forget. */
export function toTermRows(terms: TermChanges): {
  rows: readonly EncodedRow[];
  retired: readonly RecordKey[];
} {
  const all = [...terms];
  return {
    rows: all.flatMap(([symbol, known]) =>
      known ? [{ columns: [symbol], json: serializeTerms(symbol, known) }] : [],
    ),
    retired: all.flatMap(([symbol, known]) => (known ? [] : [[symbol]])),
  };
}

/** What stood before a revision, of the securities whose terms are as it left them. */
export function* findPreviousTerms(dataset: Dataset, revision: number): QuerySteps<TermChanges> {
  const table = getAuxiliaryTable(dataset);
  if (!table) return new Map();
  const rows = yield* queryRows<PreviousTermsRow>(previousTermsSql(table), [revision, revision]);
  return new Map(
    rows.map(({ symbol_key, record }) => [symbol_key, record === null ? null : parseTerms(record)]),
  );
}

/** Symbols whose terms began with a revision, each with the text that it replaced; takes R, R. */
function previousTermsSql(table: StorageTable): string {
  return `SELECT new.symbol_key, old.record FROM ${table.currentTable} AS new
    LEFT JOIN ${table.historyTable} AS old ON ${keysEqualSql(table, 'old', 'new')} AND old.until = ?
    WHERE new.since = ?`;
}

/** In one order, so that the same terms have the same text. */
function serializeTerms(
  symbol: string,
  { couponRate, couponFrequency, pricing }: SecurityTerms,
): string {
  return JSON.stringify({ symbol, couponRate, couponFrequency, pricing });
}

function parseTerms(text: string): SecurityTerms {
  const { couponRate, couponFrequency, pricing } = JSON.parse(text) as SecurityTerms;
  return { couponRate, couponFrequency, pricing };
}

interface TermsRow {
  readonly symbol_key: string;
  readonly record: string;
}

interface PreviousTermsRow extends Omit<TermsRow, 'record'> {
  readonly record: string | null;
}
