import type { Dataset } from '../../catalogue/model/dataset.ts';
import { foldAsciiCase, getStorageTable, type StorageTable } from '../../schema/storage-table.ts';
import type { Dialect } from './dialect.ts';
import { type QuerySteps, queryRows, type SqlStatement } from './query-steps.ts';
import { type LocatedRecords, selectRecords } from './select-records.ts';
import {
  bind,
  buildSql,
  isOneOf,
  joinSql,
  type SqlCondition,
  type SymbolDialect,
  selectWhere,
  symbolCondition,
} from './sql-fragments.ts';

/*
 * A security is named by its symbol or its ISIN, in any letter case. A symbol wins: a text is an
 * ISIN only if no record has it as its symbol.
 */

/** A text that looks like an ISIN is one, nearly always. */
export const ISIN_PATTERN = /^[a-z]{2}[a-z0-9]{9}[0-9]$/i;

/** The keys of securities, by the column that finds each. */
export interface SecurityKeys {
  readonly symbols: readonly string[];
  readonly isins: readonly string[];
}

/** Where a symbol has to have a record: as of a revision, or in any state before one. */
export type SymbolScope =
  | { readonly asOf: LocatedRecords | undefined }
  | { readonly before: number };

/** Finds which of some texts are symbols. */
export function* resolveSecurities(
  dataset: Dataset,
  securities: readonly string[],
  scope: SymbolScope,
  dialect: Dialect,
): QuerySteps<SecurityKeys> {
  const table = getStorageTable(dataset);
  const keys = securities.map(foldAsciiCase);
  const build = (key: string) => symbolStatement(table, key, scope, dialect);
  const symbols = new Set<string>();
  if (dialect.isDistributed) {
    // The node of a symbol is asked for it alone.
    for (const key of keys) if ((yield build(key)).length > 0) symbols.add(key);
  } else {
    const found = padKeys(keys).map(
      (key) => buildSql`SELECT ${bind(key)} AS key WHERE EXISTS (${build(key)})`,
    );
    const rows = yield* queryRows<{ key: string }>(joinSql(found, ' UNION ALL '));
    for (const { key } of rows) symbols.add(key);
  }
  return {
    symbols: keys.filter((key) => symbols.has(key)),
    isins: keys.filter((key) => !symbols.has(key)),
  };
}

/** Has a row if any record has the symbol. */
export function symbolStatement(
  table: StorageTable,
  security: string,
  scope: SymbolScope,
  dialect: SymbolDialect,
): SqlStatement {
  const isSymbol = symbolCondition(foldAsciiCase(security), dialect);
  if ('asOf' in scope) return selectRecords(table, ['1'], [isSymbol], { ...scope, limit: 1 });
  const conditions: SqlCondition[] = [isSymbol, ['since < ?', scope.before]];
  const [current, history] = [table.currentTable, table.historyTable].map((from) =>
    selectWhere(['1'], from, conditions),
  );
  return buildSql`${current ?? ''} UNION ALL ${history ?? ''} LIMIT 1`;
}

/** Few different statements, because each is prepared: no record has the empty key. */
export function padKeys(keys: readonly string[]): readonly string[] {
  const size = STATEMENT_SIZES.find((candidate) => candidate >= keys.length) ?? keys.length;
  return [...keys, ...Array<string>(size - keys.length).fill('')];
}

const STATEMENT_SIZES = [0, 1, 2, 4, 8, 16, 32, 50];

/** The conditions on quotes of several securities, one for each; no quote meets two of them. */
export function buildSecuritiesConditions(
  { symbols, isins }: SecurityKeys,
  dialect: SymbolDialect,
): SqlCondition[] {
  const [isOfSymbols] = isOneOf('symbol_key', symbols);
  const hasIsin = symbols.length === 0 ? 'isin_key = ?' : `isin_key = ? AND NOT ${isOfSymbols}`;
  return [
    ...symbols.map((key) => symbolCondition(key, dialect)),
    ...isins.map((key): SqlCondition => [hasIsin, key, ...symbols]),
  ];
}
