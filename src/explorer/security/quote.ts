import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { DatasetEntry, FieldInfo } from '../api/types.ts';
import { findField, type CorrectionEntry as OneCorrection } from '../api/types.ts';

export type { SecuritySummary } from '../../catalogue/operations/discovery.ts';

export type QuoteCorrection = OneCorrection<Quote>;

/** The field as the catalogue tells of it; where it does not, its name says what there is. */
export function getField(entry: DatasetEntry, name: keyof Quote): FieldInfo {
  const unknown = { name, kind: 'text', meaning: name, unit: null, values: null, fields: null };
  return findField(entry, name) ?? unknown;
}

/**
 * The figure of a quote; undefined where there is none. A price of 0 means that there is no order,
 * a yield of 0 that it was not computed, and without a yield there is no duration.
 */
export function getQuoteValue(quote: Quote, { name, kind }: FieldInfo): unknown {
  const value = (quote as Readonly<Record<string, unknown>>)[name];
  if (value !== 0) return value;
  const isMissing =
    kind === 'price' || kind === 'percent' || (name === 'duration' && quote.ytm === 0);
  return isMissing ? undefined : value;
}

/** Whether it can stand on a curve. */
export function hasYield({ ytm, maturityYears }: Quote): boolean {
  return ytm !== 0 && maturityYears > 0;
}

const TYPE_LABELS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  tbill: ['T-bill', 'T-bills'],
  bond: ['Bond', 'Bonds'],
  corporate: ['Corporate', 'Corporates'],
};

/** What a security of a type is called; a type that the page does not know goes by its own name. */
export function formatType(type: string): string {
  return getTypeLabels(type)[0];
}

/** What all securities of a type are called. */
export function formatTypePlural(type: string): string {
  return getTypeLabels(type)[1];
}

function getTypeLabels(type: string): readonly [string, string] {
  return (Object.hasOwn(TYPE_LABELS, type) && TYPE_LABELS[type]) || [type, type];
}
