import type { Quote } from '../../catalogue/datasets/quotes.ts';
import {
  type CorrectionEntry,
  type DatasetEntry,
  type FieldInfo,
  findField,
} from '../api/types.ts';
import { groupByRevision, type RevisionCorrections } from '../corrections/revision-corrections.ts';

export type { SecuritySummary } from '../../catalogue/operations/discovery.ts';

export type QuoteCorrection = CorrectionEntry<Quote>;

/** The field of the catalogue; one that it does not have is described by its name. */
export function getField(entry: DatasetEntry, name: keyof Quote): FieldInfo {
  const unknown = { name, kind: 'text', meaning: name, unit: null, values: null, fields: null };
  return findField(entry, name) ?? unknown;
}

/**
 * The value of a field; undefined where there is none. A price of 0 means that there is no order,
 * a yield of 0 that it was not computed, and without a yield there is no duration.
 */
export function getQuoteValue(quote: Quote, { name, kind }: FieldInfo): unknown {
  const value = (quote as Readonly<Record<string, unknown>>)[name];
  if (value !== 0) return value;
  const isMissing =
    kind === 'price' || kind === 'percent' || (name === 'duration' && quote.ytm === 0);
  return isMissing ? undefined : value;
}

/** Groups corrections of quotes by revision; a figure of 0 that means none is none. */
export function groupQuoteCorrections(
  entry: DatasetEntry,
  corrections: readonly QuoteCorrection[],
): RevisionCorrections[] {
  const getValues = (quote: Quote) =>
    Object.fromEntries(entry.fields.map((field) => [field.name, getQuoteValue(quote, field)]));
  return groupByRevision(
    entry,
    corrections.map((correction) => ({
      ...correction,
      old: getValues(correction.old),
      new: correction.new && getValues(correction.new),
    })),
  );
}

/** Whether the quote is a point of a yield curve. */
export function hasYield({ ytm, maturityYears }: Quote): boolean {
  return ytm !== 0 && maturityYears > 0;
}

const TYPE_LABELS: Readonly<Record<string, readonly [singular: string, plural: string]>> = {
  tbill: ['T-bill', 'T-bills'],
  bond: ['Bond', 'Bonds'],
  corporate: ['Corporate', 'Corporates'],
};

/** The label of a type; a type without one is shown as it is. */
export function formatType(type: string): string {
  return TYPE_LABELS[type]?.[0] ?? type;
}

export function formatTypePlural(type: string): string {
  return TYPE_LABELS[type]?.[1] ?? type;
}
