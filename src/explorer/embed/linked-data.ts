import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { AnalyticsRecord, CurveRecord } from '../../client/generated.ts';
import type { JsonRecord } from '../api/types.ts';
import type { FundAllocationRecord } from '../funds/fund-record.ts';

/** The data of a page's access links, distinguished by its fields. */
export interface LinkedData {
  readonly quotes: readonly Quote[];
  readonly analytics: readonly AnalyticsRecord[];
  readonly curves: readonly CurveRecord[];
  readonly funds: readonly FundAllocationRecord[];
  /** Records of a series. */
  readonly records: readonly JsonRecord[];
}

/** The secrets of links in the fragment of a URL: `#link=…&link=…`. */
export function parseSecrets(fragment: string): string[] {
  return new URLSearchParams(fragment.replace(/^#/, '')).getAll('link').filter(Boolean);
}

/** The secrets in the output of `tenor link create`, or in addresses of links, signed ones included. */
export function findSecrets(text: string): string[] {
  return [
    ...new Set(Array.from(text.matchAll(/\blinks\/([\w.-]+)/g), ([, secret = '']) => secret)),
  ];
}

/** Sorts the data of responses by kind, because links do not name their target. */
export function sortLinkedData(responses: readonly unknown[]): LinkedData {
  const isOf = (field: string) => (value: unknown) =>
    typeof value === 'object' && value !== null && Object.hasOwn(value, field);
  const records = responses.flat();
  const select = <T>(field: string) => records.filter(isOf(field)) as T[];
  const [quotes, analytics, curves, funds] = [
    select<Quote>('bidPrice'),
    select<AnalyticsRecord>('dirtyPrice'),
    select<CurveRecord>('points'),
    select<FundAllocationRecord>('rows'),
  ];
  const known = new Set<unknown>([...quotes, ...analytics, ...curves, ...funds]);
  const others = records.filter((record) => !known.has(record)) as JsonRecord[];
  return { quotes, analytics, curves, funds, records: others };
}
