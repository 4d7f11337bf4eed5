import type { RecordIn } from '../../catalogue/dataset.ts';
import type { quotes } from '../../catalogue/quotes.ts';
import type { Entry, FieldEntry } from '../service/catalogue.ts';
import { fieldOf, type Correction as OneCorrection } from '../service/catalogue.ts';

export type { Security } from '../../catalogue/discovery.ts';

export type Quote = RecordIn<typeof quotes>;
export type Correction = OneCorrection<Quote>;

/** The field as the catalogue tells of it; where it does not, its name says what there is. */
export function knownField(entry: Entry, name: keyof Quote): FieldEntry {
  const unknown = { name, kind: 'text', meaning: name, unit: null, values: null, fields: null };
  return fieldOf(entry, name) ?? unknown;
}

/**
 * The figure of a quote; undefined where there is none. A price of 0 means that there is no order,
 * a yield of 0 that it was not computed, and without a yield there is no duration.
 */
export function figureIn(quote: Quote, { name, kind }: FieldEntry): unknown {
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

const TYPES: Readonly<Record<string, readonly [one: string, many: string]>> = {
  tbill: ['T-bill', 'T-bills'],
  bond: ['Bond', 'Bonds'],
  corporate: ['Corporate', 'Corporates'],
};

/** What a security of a type is called; a type that the page does not know goes by its own name. */
export function typeWords(type: string): string {
  return namesOf(type)[0];
}

/** What all securities of a type are called. */
export function typesWords(type: string): string {
  return namesOf(type)[1];
}

function namesOf(type: string): readonly [string, string] {
  return (Object.hasOwn(TYPES, type) && TYPES[type]) || [type, type];
}
