import {
  type FindHolidays,
  hasPricing,
  indexTermsByIsin,
  isValidIsin,
  type PricingTerms,
  TERM_NAMES,
  toPricingTerms,
} from '../../bonds/index.ts';
import { type SecurityRecord, securities } from '../../catalogue/datasets/securities.ts';
import type { SecuritySummary } from '../../operations/securities/securities-operation.ts';
import { foldAsciiCase } from '../../schema/storage-table.ts';
import type { DraftQuote } from '../derivation/price-security.ts';
import type { Warning } from '../quality/warning-rules.ts';
import type { DraftRecord } from '../records/draft-record.ts';
import { createEmptyRecord } from './reference-records.ts';
import { copySecurityOfIsin } from './security-identifier.ts';

/** Tracks pricing terms while a file is read: the stored ones, by folded symbol, and the file's own. */
export class TermsTracker {
  readonly #known: Map<string, PricingTerms>;
  /** The newest quote with terms of each symbol. */
  readonly #latest = new Map<string, DraftQuote & { readonly terms: PricingTerms }>();
  readonly #seenSymbols = new Set<string>();
  #termsByIsin: ReadonlyMap<string, PricingTerms> | undefined;

  constructor(
    private readonly stored: ReadonlyMap<string, SecurityRecord>,
    private readonly listSecurities: () => Promise<readonly SecuritySummary[]>,
    private readonly findHolidays?: FindHolidays,
  ) {
    this.#known = new Map(
      Array.from(stored, ([key, security]) => [key, toPricingTerms(security, findHolidays)]),
    );
  }

  get(symbol: unknown): PricingTerms | undefined {
    return this.#known.size === 0 ? undefined : this.#known.get(foldAsciiCase(String(symbol)));
  }

  /** The terms to check a quoted yield with; a floater's rate on one day is not that of other days. */
  getChecked(symbol: string): PricingTerms | undefined {
    const key = foldAsciiCase(symbol);
    const terms = this.#known.get(key);
    if (this.stored.get(key)?.floating !== true || this.#latest.has(key)) return terms;
    const { couponRate: _, ...others } = terms ?? {};
    return others;
  }

  /** Gives symbols without terms those that are known for their ISIN. */
  async findByIsin(drafts: readonly DraftRecord[]): Promise<void> {
    if (this.stored.size === 0) return;
    for (const { record } of drafts) {
      const { symbol, isin, type } = record;
      // A T-bill needs no terms.
      if (typeof symbol !== 'string' || typeof isin !== 'string' || type === 'tbill') continue;
      const key = foldAsciiCase(symbol);
      if (this.#seenSymbols.has(key)) continue;
      this.#seenSymbols.add(key);
      const ownTerms = this.#known.get(key);
      const isinKey = foldAsciiCase(isin);
      if (hasPricing(ownTerms) || !isValidIsin(isinKey)) continue;
      this.#termsByIsin ??= indexTermsByIsin(
        (await this.listSecurities()).map((security) => ({
          ...security,
          terms: toPricingTerms(security, this.findHolidays),
        })),
      );
      const terms = this.#termsByIsin.get(isinKey) ?? this.#known.get(isinKey);
      if (terms) this.#known.set(key, { ...terms, ...ownTerms });
    }
  }

  /** Adds the terms of a quote; returns a warning if they differ from the known ones. */
  update({ symbol = '', isin, date = '' }: DraftQuote, quoteTerms: PricingTerms) {
    const key = foldAsciiCase(symbol);
    const previous = this.#known.get(key);
    const terms = { ...previous, ...quoteTerms };
    this.#known.set(key, terms);
    if (date >= (this.#latest.get(key)?.date ?? ''))
      this.#latest.set(key, { date, symbol, isin, terms });
    const isFloating = this.#findStored(symbol, isin)?.floating === true;
    return previous && findTermsChange(previous, terms, isFloating);
  }

  /** The securities whose terms in their newest quotes differ from the stored ones. */
  getChangedSecurities(): SecurityRecord[] {
    return [...this.#latest.values()].flatMap(({ symbol = '', isin = null, terms }) => {
      const empty = { ...createEmptyRecord(securities), symbol, isin };
      const previous: SecurityRecord = this.#findStored(symbol, isin) ?? empty;
      const security: SecurityRecord = { ...previous, ...toPricingTerms(terms) };
      return TERM_NAMES.some((name) => security[name] !== previous[name]) ? [security] : [];
    });
  }

  #findStored(symbol: string, isin: string | null = null): SecurityRecord | undefined {
    return this.stored.get(foldAsciiCase(symbol)) ?? copySecurityOfIsin(this.stored, isin, symbol);
  }
}

/** A floater's coupon changes with its reference rate, which causes no warning. */
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
