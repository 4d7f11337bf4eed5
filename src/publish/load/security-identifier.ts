import { hasIsinForm, isValidIsin } from '../../bonds/index.ts';
import type { SecurityRecord } from '../../catalogue/datasets/securities.ts';
import type { SecuritySummary } from '../../operations/securities/securities-operation.ts';
import { foldAsciiCase } from '../../schema/storage-table.ts';
import type { FieldProblem } from '../../schema/validate-record.ts';

type StoredSecurities = ReadonlyMap<string, SecurityRecord>;

/** Finds the security of a record, by its symbol, else by its ISIN. */
export function createSecurityIdentifier(
  stored: StoredSecurities,
  summaries: readonly SecuritySummary[],
) {
  const findSymbols = createSymbolFinder(stored, summaries);
  const isins = new Map(summaries.map(({ symbol, isin }) => [foldAsciiCase(symbol), isin]));
  // From the files: the first symbol of each ISIN, and the ISINs of rows stored under them.
  const loadedSymbols = new Map<string, string>();
  const loadedIsins = new Set<string>();
  const checkNamed = (symbol: string, isin: string): FieldProblem | undefined => {
    if (loadedIsins.has(isin) && foldAsciiCase(symbol) !== isin)
      return { ...REPEATED_ISIN, value: isin };
    if (!loadedSymbols.has(isin)) loadedSymbols.set(isin, symbol);
    return undefined;
  };
  return {
    /** Completes symbol and ISIN of a record without a symbol; returns a problem if there is none. */
    identify(record: Record<string, unknown>): FieldProblem | undefined {
      const isin = typeof record.isin === 'string' ? foldAsciiCase(record.isin) : undefined;
      if (record.symbol !== undefined && record.symbol !== null)
        return isin === undefined ? undefined : checkNamed(String(record.symbol), isin);
      if (isin === undefined) return { field: 'symbol or isin', value: undefined, rule: 'given' };
      const symbols = findSymbols(isin);
      if (symbols.length > 1) {
        const rule = `given with a symbol, because ${symbols.join(' and ')} have this ISIN`;
        return { field: 'isin', value: record.isin, rule };
      }
      if (symbols.length === 0 && !isValidIsin(isin))
        return { ...INVALID_ISIN, value: record.isin };
      record.symbol = symbols[0] ?? loadedSymbols.get(isin) ?? isin;
      if (record.symbol === isin) loadedIsins.add(isin);
      record.isin = isin;
      return undefined;
    },
    /** The stored record of a security: that of its symbol, else that of the ISIN with which it is quoted. */
    findStored(symbol: string): SecurityRecord | undefined {
      const key = foldAsciiCase(symbol);
      return stored.get(key) ?? copySecurityOfIsin(stored, isins.get(key) ?? null, symbol);
    },
  };
}

const INVALID_ISIN = {
  field: 'isin',
  rule: 'an ISIN with the right check digit, because there is no symbol',
};

const REPEATED_ISIN = { field: 'isin', rule: 'given once; an earlier row has it without a symbol' };

/** The record stored under an ISIN, for a symbol without a record of its own. */
export function copySecurityOfIsin(
  stored: StoredSecurities,
  isin: string | null,
  symbol: string,
): SecurityRecord | undefined {
  const isinKey = foldAsciiCase(isin ?? '');
  const record = hasIsinForm(isinKey) ? stored.get(isinKey) : undefined;
  return record && { ...record, symbol };
}

/** The symbols of an ISIN; of several, the most recently quoted; none if it is unknown. */
function createSymbolFinder(stored: StoredSecurities, summaries: readonly SecuritySummary[]) {
  const quoted = summaries.filter(({ lastDate }) => lastDate !== null);
  const quotedByIsin = Map.groupBy(quoted, ({ isin }) => foldAsciiCase(isin ?? ''));
  const storedByIsin = Map.groupBy(stored.values(), ({ isin }) => foldAsciiCase(isin ?? ''));
  return (isin: string): string[] => {
    if (!hasIsinForm(isin)) return [];
    const candidates = quotedByIsin.get(isin) ?? [];
    const newest = candidates
      .map(({ lastDate }) => lastDate)
      .toSorted()
      .at(-1);
    const symbols = candidates
      .filter(({ lastDate }) => lastDate === newest)
      .map(({ symbol }) => symbol);
    const isinRecord = stored.get(isin);
    // A record loaded before the quotes stays, because it describes them.
    if (isinRecord && !symbols.some((symbol) => stored.has(foldAsciiCase(symbol))))
      return [isinRecord.symbol];
    return symbols.length > 0
      ? symbols
      : (storedByIsin.get(isin) ?? []).map(({ symbol }) => symbol);
  };
}
