import type { Dataset } from '../../catalogue/model/dataset.ts';
import { foldAsciiCase } from '../../schema/fold-ascii-case.ts';
import { getSummaryTables } from '../../schema/summary-tables.ts';
import type { SecurityKeyColumn } from '../reader.ts';
import {
  isOneOf,
  type SqlCondition,
  type SymbolDialect,
  symbolCondition,
  symbolLengthConditions,
} from './sql-fragments.ts';

/**
 * How the quotes of a security are found: by symbol, by ISIN, or by the one symbol that ever had
 * the ISIN, whose quotes are read in sequence.
 */
export type SecurityLookup = SecurityKeyColumn | 'symbol_of_isin';

/** The conditions on quotes of one security. */
export function buildSecurityConditions(
  dataset: Dataset,
  security: string,
  lookup: SecurityLookup,
  dialect: SymbolDialect,
): SqlCondition[] {
  const key = foldAsciiCase(security);
  if (lookup === 'isin_key') return [['isin_key = ?', key]];
  if (lookup === 'symbol_key') return [symbolCondition(key, dialect)];
  const symbol = `SELECT min(symbol_key) FROM ${getSecuritiesTable(dataset)} WHERE isin_key = ?`;
  return [
    [`symbol_key = (${symbol})`, key],
    ...(symbolLengthConditions(dialect)[0] ?? []),
    // The symbol may have had other ISINs; the concatenation keeps planners on its own index.
    ["isin_key || '' = ?", key],
  ];
}

/** The keys of securities, by the column that finds each. */
export interface SecurityKeys {
  readonly symbols: readonly string[];
  readonly isins: readonly string[];
}

export function groupKeys(
  keys: readonly string[],
  isSymbol: (key: string) => boolean,
): SecurityKeys {
  const symbols = keys.filter(isSymbol);
  return { symbols, isins: keys.filter((key) => !symbols.includes(key)) };
}

/** The same of several securities, a condition for each; no quote meets two of them. */
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

export function getSecuritiesTable(dataset: Dataset): string {
  return getSummaryTables(dataset)?.securities.name ?? '';
}
