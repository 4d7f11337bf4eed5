import type { ResponseFormatName } from '../catalogue/model/response-format.ts';
import { FORMATS } from '../shared/formats.ts';

const RECORDS_PER_REQUEST = 100;
/** Counting a record takes a fraction of reading it. */
const COUNTED_PER_REQUEST = 2_000;

export interface ResponseSize {
  readonly records: number;
  readonly format: ResponseFormatName;
  /** How many records were counted for `Prefer: count=exact`. */
  readonly counted?: number;
}

/** The cost of a new response, in requests: one for each hundred records of JSON, at least one. */
export function computeRequestCost({ records, format, counted = 0 }: ResponseSize): number {
  const weighted = Math.ceil((records * FORMATS[format].traits.weight) / RECORDS_PER_REQUEST);
  return Math.max(1, weighted) + Math.floor(counted / COUNTED_PER_REQUEST);
}

/** The cost of records whose number is not that of the records that are read for them. */
export function computeListCost(
  { limit, format }: Pick<ResponseSize, 'format'> & { readonly limit: number },
  page?: { readonly count: number },
): number {
  if (page) return computeRequestCost({ records: page.count, format });
  return Math.max(MIN_COMPUTED_COST, computeRequestCost({ records: limit, format }));
}

/** The cost of a list that is computed from all records, before it is. */
export const LIST_COST = 10;

/** More than what the thread that responds does itself: several statements, or how many records are read is not known. */
export const MIN_COMPUTED_COST = 4;

/** A curve takes some milliseconds, which is too long for the thread that responds. */
export const CURVE_COST = 4;
