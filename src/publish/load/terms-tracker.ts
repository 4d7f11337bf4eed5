import { hasPricing, indexTermsByIsin, isValidIsin } from '../../bonds/index.ts';
import { type SecurityRecord, securities } from '../../catalogue/datasets/securities.ts';
import type { SecuritySummary } from '../../catalogue/operations/discovery.ts';
import { foldAsciiCase } from '../../schema/fold-ascii-case.ts';
import {
  type DraftQuote,
  type PricingTerms,
  TERM_NAMES,
  toPricingTerms,
} from '../derivation/price-security.ts';
import type { Warning } from '../quality/warning-rules.ts';
import type { DraftRecord } from '../records/draft-record.ts';
import { createEmptyRecord } from './reference-records.ts';
import { copySecurityOfIsin } from './security-identifier.ts';

interface SecurityTerms {
  /** The date of the newest quote that has terms. */
  readonly date: string;
  readonly symbol: string;
  readonly isin: string | undefined;
  readonly terms: PricingTerms;
}

/** Pricing terms while a file is read: the stored ones, by folded symbol, and the file's own. */
export function createTermsTracker(
  stored: ReadonlyMap<string, SecurityRecord>,
  listSecurities: () => Promise<readonly SecuritySummary[]>,
) {
  const known = new Map(
    Array.from(stored, ([symbol, security]) => [symbol, toPricingTerms(security)] as const),
  );
  const latest = new Map<string, SecurityTerms>();
  const findStored = (symbol: string, isin: string | null = null) =>
    stored.get(foldAsciiCase(symbol)) ?? copySecurityOfIsin(stored, isin, symbol);
  const findByIsin = createIsinLookup(known, listSecurities);
  return {
    get: (symbol: unknown) =>
      known.size === 0 ? undefined : known.get(foldAsciiCase(String(symbol))),
    /** Finds the terms of symbols that have none by the ISINs of drafts. */
    findByIsin: stored.size === 0 ? async () => {} : findByIsin,
    /** Adds the terms of a quote; a warning where they differ from the known ones. */
    update({ symbol = '', isin, date = '' }: DraftQuote, quoteTerms: PricingTerms) {
      const key = foldAsciiCase(symbol);
      const previous = known.get(key);
      const terms = { ...previous, ...quoteTerms };
      known.set(key, terms);
      if (date >= (latest.get(key)?.date ?? '')) latest.set(key, { date, symbol, isin, terms });
      const isFloating = findStored(symbol, isin)?.floating === true;
      return previous && findTermsChange(previous, terms, isFloating);
    },
    /** The securities whose terms in their newest quotes differ from the stored ones. */
    getChangedSecurities(): SecurityRecord[] {
      return [...latest.values()].flatMap(({ symbol, isin = null, terms }) => {
        const previous: SecurityRecord = findStored(symbol, isin) ?? {
          ...createEmptyRecord(securities),
          symbol,
          isin,
        };
        const security: SecurityRecord = { ...previous, ...terms };
        return TERM_NAMES.some((name) => security[name] !== previous[name]) ? [security] : [];
      });
    },
  };
}

/** Adds what is known of an ISIN to the terms of each of its symbols that has none. */
function createIsinLookup(
  known: Map<string, PricingTerms>,
  listSecurities: () => Promise<readonly SecuritySummary[]>,
) {
  const seenSymbols = new Set<string>();
  let termsByIsin: ReadonlyMap<string, PricingTerms> | undefined;
  return async (drafts: readonly DraftRecord[]): Promise<void> => {
    for (const { record } of drafts) {
      const { symbol, isin, type } = record;
      // A T-bill needs no terms.
      if (typeof symbol !== 'string' || typeof isin !== 'string' || type === 'tbill') continue;
      const key = foldAsciiCase(symbol);
      if (seenSymbols.has(key)) continue;
      seenSymbols.add(key);
      const ownTerms = known.get(key);
      const isinKey = foldAsciiCase(isin);
      if (hasPricing(ownTerms) || !isValidIsin(isinKey)) continue;
      termsByIsin ??= indexTermsByIsin(
        (await listSecurities()).map((security) => ({
          ...security,
          terms: toPricingTerms(security),
        })),
      );
      const terms = termsByIsin.get(isinKey) ?? known.get(isinKey);
      if (terms) known.set(key, { ...terms, ...ownTerms });
    }
  };
}

/** The coupon of a floater changes with its reference rate, which is no warning. */
function findTermsChange(
  previous: PricingTerms,
  terms: PricingTerms,
  isFloating: boolean,
): Warning | undefined {
  const field = TERM_NAMES.find(
    (name) => previous[name] !== undefined && previous[name] !== terms[name],
  );
  if (field === undefined || (isFloating && field === 'couponRate')) return undefined;
  const text = `${field} ${terms[field]} was ${previous[field]} before`;
  return { rule: 'terms-changed', field, value: terms[field], text };
}
