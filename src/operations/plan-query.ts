import { type quotes, TABLE_FIGURES } from '../catalogue/datasets/quotes.ts';
import type { Dataset } from '../catalogue/model/dataset.ts';
import type { ParameterValues } from '../catalogue/model/parameter.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../catalogue/model/response-parameters.ts';
import type { QuoteFilterParameter } from '../catalogue/quote-parameters.ts';
import { HttpError, type MissingRecordErrors } from '../http/http-error.ts';
import {
  FLAT_FORMATS,
  type PageRequest,
  type PageTarget,
  parsePageRequest,
} from '../http/request/parse-query.ts';
import { foldAsciiCase } from '../schema/storage-table.ts';
import { splitQuotedList } from '../shared/quoted-list.ts';
import type { QuoteFilters, QuoteSelection, ReadResult, Selection } from '../store/open-store.ts';
import type { DatasetTransform } from '../transforms/transformed-dataset.ts';
import { planFund } from './funds/plan-fund.ts';
import { parsePeriods, planTransform } from './plan-transform.ts';

/** The records that a query string selects, and how they are to be sent. */
export interface QueryPlan extends PageRequest {
  readonly selection: PlannedSelection;
  /** What becomes of the records, whose periods are then those of the result. */
  readonly transform?: DatasetTransform;
  /** Given if a missing record comes before any error of the request. */
  readonly missing?: MissingRecordErrors;
}

/** A selection without its dataset, which is that of the view. */
export type PlannedSelection = DistributiveOmit<Selection, 'dataset'>;
export type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never;
export type PlannedQuotes = Omit<QuoteSelection, 'dataset'>;

/** Parses a query string into a plan of what to read; later stages never see the string. */
export function planQuery(dataset: Dataset, request: PageTarget): QueryPlan | HttpError {
  if (dataset.shape === 'fund') return planFund(dataset, request);
  // All paths of a dataset take the same cursors.
  const page = parsePageRequest(request, dataset.parameters, dataset.name);
  if (page instanceof HttpError) return page;
  if (dataset.shape !== 'quotes') return planObservations(dataset, page);
  const selection = planQuotes(page);
  if (selection instanceof HttpError) return selection;
  return { ...page, selection };
}

interface ObservationValues {
  readonly from?: string;
  readonly to?: string;
  readonly sort?: 'asc' | 'desc';
  readonly limit?: number;
}

/** Without pages, all of a series. */
export function planObservations(dataset: Dataset, page: PageRequest): QueryPlan | HttpError {
  const { parameters, declaration, fields } = dataset;
  const { filters, position } = page;
  if (!parameters.limit) return { ...page, selection: { kind: 'records' } };
  const { sort, limit = MAX_LIMIT, ...texts }: ObservationValues = filters;
  const transform = planTransform(dataset, page);
  if (transform instanceof HttpError) return transform;
  const range = parsePeriods(dataset, transform ?? {}, texts);
  if (range instanceof HttpError) return range;
  const values = filters as Readonly<Record<string, string | undefined>>;
  const dimensions = declaration?.dimensions?.map(({ field }) => {
    const text = values[field];
    return text === undefined ? undefined : splitQuotedList(text);
  });
  const selection: PlannedSelection = {
    kind: 'observations',
    limit,
    ...range,
    ...(dimensions && { dimensions }),
    ...(sort === 'asc' && { isOldestFirst: true }),
    // A declared status is a part of the record.
    ...(fields.status && !declaration?.status && { includesStatus: true }),
    ...(position && { after: position }),
  };
  return { ...page, selection, ...(transform && { transform }) };
}

/** The dates of a range, or empty texts, then the key. */
function parsePosition(position: NonNullable<PageRequest['position']>) {
  const [from, to, ...after] = position;
  return { ...(from !== '' && { dateRange: [String(from), String(to)] as const }), after };
}

/** Where the page that follows a result begins; undefined after the last page. */
export function findNextPosition(
  selection: PlannedSelection,
  { lastKey }: Pick<ReadResult, 'lastKey'>,
): PageRequest['position'] {
  if (!lastKey || selection.kind !== 'quotes') return lastKey;
  const [date = '', symbol = '', matchedBy = ''] = lastKey;
  // Without a date range it is the latest day, which all pages stay with; each of several securities
  // has its own, as of the revision.
  const [from, to] = selection.dateRange ?? (selection.securities ? ['', ''] : [date, date]);
  return [from, to, date, symbol, matchedBy];
}

type QuoteValues = ParameterValues<typeof quotes.parameters>;

const MIN_DAY = '0001-01-01';
const MAX_DAY = '9999-12-31';

export function planQuotes({ filters, position }: PageRequest): PlannedQuotes | HttpError {
  const values: QuoteValues = filters;
  const { date, from, to, sort, limit = DEFAULT_LIMIT } = values;
  const isRange = from !== undefined || to !== undefined;
  if (date !== undefined && isRange) return new HttpError('date_and_range');
  if (sort === 'asc' && !isRange) return new HttpError('sorted_without_range');
  if (from !== undefined && to !== undefined && from > to) return new HttpError('reversed_range');
  return {
    kind: 'quotes',
    limit,
    ...(sort === 'asc' && { isOldestFirst: true }),
    ...planFilters(values),
    ...(date !== undefined && { dateRange: [date, date] as const }),
    ...(isRange && { dateRange: [from ?? MIN_DAY, to ?? MAX_DAY] as const }),
    ...(position && parsePosition(position)),
  };
}

/** The filters that each parameter becomes. */
const PLAN_BY_FILTER: {
  readonly [Name in QuoteFilterParameter]: (value: NonNullable<QuoteValues[Name]>) => QuoteFilters;
} = {
  symbol: planSecurities,
  type: (type) => (type === 'all' ? {} : { type }),
};

const FILTER_NAMES = Object.keys(PLAN_BY_FILTER) as QuoteFilterParameter[];

function planFilters(values: QuoteValues): QuoteFilters {
  const filters = {};
  for (const name of FILTER_NAMES) {
    const plan = PLAN_BY_FILTER[name] as (value: unknown) => QuoteFilters;
    if (values[name] !== undefined) Object.assign(filters, plan(values[name]));
  }
  return filters;
}

function planSecurities(symbol: string): QuoteFilters {
  const [first = symbol, ...others] = splitSymbols(symbol);
  return others.length === 0 ? { security: first } : { securities: [first, ...others] };
}

/** Each security once, in whatever letters. */
export function splitSymbols(symbol: string): string[] {
  if (!symbol.includes(',')) return [symbol];
  return [...new Map(symbol.split(',').map((text) => [foldAsciiCase(text), text])).values()];
}

/** A table of quotes in an order of its own, or with figures that are computed. */
export interface QuoteTable {
  readonly fields?: readonly string[] | undefined;
  /** `ytm`, or from the greatest `-ytm`. */
  readonly order?: string | undefined;
  /** The date that changes are since. */
  readonly compare?: string | undefined;
}

/** What a request adds to a table of quotes; undefined if it has the records alone. */
export function planQuoteTable(
  dataset: Dataset,
  plan: QueryPlan,
): QuoteTable | undefined | HttpError {
  if (dataset.shape !== 'quotes') return undefined;
  const { filters, fields, format } = plan;
  const { order, compare } = filters as Pick<QuoteTable, 'order' | 'compare'>;
  const parameter = order ? 'order' : compare ? 'compare' : undefined;
  if (parameter && !FLAT_FORMATS.includes(format))
    return new HttpError('table_of_json', { parameter, allowed: FLAT_FORMATS.join(', ') });
  const isComputed =
    parameter !== undefined || fields?.some((name) => Object.hasOwn(TABLE_FIGURES, name));
  return isComputed ? { fields, order, compare } : undefined;
}
