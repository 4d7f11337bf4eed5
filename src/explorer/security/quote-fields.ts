import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { SecuritySummary } from '../../operations/securities/securities-operation.ts';
import type {
  ApiRequest,
  CorrectionEntry,
  DatasetEntry,
  FieldInfo,
  JsonRecord,
} from '../api/types.ts';

export type { SecuritySummary };

type QuotedField = 'isin' | 'type' | 'maturityDate' | 'firstDate' | 'lastDate';

/** A security that was ever quoted, unlike those known from reference data alone. */
export type QuotedSecurity = SecuritySummary & {
  readonly [Name in QuotedField]: NonNullable<SecuritySummary[Name]>;
};

/** A security, with the catalogue entry of quotes. */
export interface SecurityProps {
  readonly entry: DatasetEntry;
  readonly security: QuotedSecurity;
}

export function isQuoted(security: SecuritySummary): security is QuotedSecurity {
  return security.lastDate !== null;
}

/** A quote with its spread over the government curve, in basis points. */
export interface SpreadRow {
  readonly quote: Quote;
  readonly spread: number | undefined;
}

/** The field from the catalogue; unknown fields are described by their name. */
export function getField(entry: DatasetEntry, name: keyof Quote): FieldInfo {
  const blank = { unit: null, decimals: null, values: null, fields: null, codes: null };
  const unknown = { name, kind: 'text', meaning: name, ...blank };
  return entry.fields.find((field) => field.name === name) ?? unknown;
}

/**
 * The value of a field; undefined if there is none. A price of 0 means no order, a yield of 0 that it was not
 * computed, and without a yield there is no duration.
 */
export function getQuoteValue(quote: Quote, { name, kind }: FieldInfo): unknown {
  const value = (quote as Readonly<Record<string, unknown>>)[name];
  if (value !== 0) return value;
  const isMissing =
    kind === 'price' || kind === 'percent' || (name === 'duration' && quote.ytm === 0);
  return isMissing ? undefined : value;
}

/** Corrections of quotes with field values; zeros that mean "none" are undefined. */
export function readQuoteFigures(
  entry: DatasetEntry,
  corrections: readonly CorrectionEntry[],
): CorrectionEntry[] {
  const getValues = (quote: JsonRecord) =>
    Object.fromEntries(
      entry.fields.map((field) => [field.name, getQuoteValue(quote as unknown as Quote, field)]),
    );
  return corrections.map((correction) => ({
    ...correction,
    old: getValues(correction.old),
    new: correction.new && getValues(correction.new),
  }));
}

/** Whether the quote is a point of a yield curve. */
export function hasYield({ ytm, maturityYears }: Quote): boolean {
  return ytm !== 0 && maturityYears > 0;
}

const TYPE_LABELS = new Map<string, readonly [singular: string, plural: string]>([
  ['tbill', ['T-bill', 'T-bills']],
  ['bond', ['Bond', 'Bonds']],
  ['corporate', ['Corporate', 'Corporates']],
]);

export function formatType(type: string): string {
  return TYPE_LABELS.get(type)?.[0] ?? type;
}

export function formatTypePlural(type: string): string {
  return TYPE_LABELS.get(type)?.[1] ?? type;
}

export function listTypeOptions(types: readonly string[], allText: string) {
  const options = Object.fromEntries(types.map((type) => [type, formatTypePlural(type)]));
  return { all: allText, ...options };
}

/** The security of a symbol or an ISIN, in any letter case. */
export function findSecurity(
  securities: readonly QuotedSecurity[],
  text: string,
): QuotedSecurity | undefined {
  const name = text.trim().toLowerCase();
  return (
    securities.find(({ symbol }) => symbol.toLowerCase() === name) ??
    securities.find(({ isin }) => isin.toLowerCase() === name)
  );
}

interface SecurityFilter {
  /** A part of the symbol, ISIN or name, ignoring letter case. */
  readonly text?: string | undefined;
  readonly type?: string | undefined;
  readonly isMatured?: boolean | undefined;
}

/** Whether a security has matured by the newest day of the data, which may not be today. */
export function hasMatured(
  { maturityDate, lastDate }: Pick<QuotedSecurity, 'maturityDate' | 'lastDate'>,
  { coverage }: Pick<DatasetEntry, 'coverage'>,
): boolean {
  return maturityDate <= (coverage.last ?? lastDate);
}

export function filterSecurities(
  securities: readonly QuotedSecurity[],
  { text = '', type, isMatured }: SecurityFilter,
  entry: Pick<DatasetEntry, 'coverage'>,
): QuotedSecurity[] {
  return securities.filter(
    (security) =>
      (type === undefined || security.type === type) &&
      (isMatured === undefined || hasMatured(security, entry) === isMatured) &&
      matchesText(security, text),
  );
}

/** Whether the text occurs in the symbol, the ISIN or the name, in any letter case. */
export function matchesText({ symbol, isin, name }: QuotedSecurity, text: string): boolean {
  const part = text.trim().toLowerCase();
  return [symbol, isin, name ?? ''].some((own) => own.toLowerCase().includes(part));
}

/** The request for a table of quotes as shown, with its columns and order. */
export function createShownRequest(
  { path, parameters }: ApiRequest,
  columns: readonly { readonly name: string }[],
  sort = '',
  others: ApiRequest['parameters'] = {},
): ApiRequest {
  const fields = columns.map(({ name }) => name);
  const order = fields.includes(sort.replace('-', '')) ? sort : undefined;
  return { path, parameters: { ...parameters, ...others, fields: fields.join(), order } };
}
