import { DEFAULT_LIMIT, type quotes } from '../../catalogue/datasets/quotes.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { ParameterValues } from '../../catalogue/model/parameter.ts';
import type {
  QuoteSelection,
  ReadResult,
  SecurityKeyColumn,
  Selection,
} from '../../store/open-store.ts';
import { createHttpError, type HttpError, isHttpError } from '../http-error.ts';
import type { CursorCodec } from './cursor-codec.ts';
import { findFirstValue, parseQuery } from './parse-query.ts';

/** What a query string selects. */
export interface QueryPlan {
  readonly selection: Selection;
  /** The values of all parameters but the cursor, which is valid with these alone. */
  readonly filters: Readonly<Record<string, unknown>>;
  /** What is wrong with the request, if anything is selected at all. */
  readonly errorIfFound?: HttpError;
}

/** Parses a query string into what to read; later stages never see the string. */
export function planQuery(
  dataset: Dataset,
  query: string,
  cursors: CursorCodec,
): QueryPlan | HttpError {
  if (dataset.shape === 'fund') return planFund(dataset, query);
  const values = parseQuery(query, dataset.parameters);
  if (isHttpError(values)) return values;
  const { cursor, ...filters } = values;
  const selection =
    dataset.shape === 'quotes'
      ? planQuotes(dataset, filters)
      : ({ kind: 'series', dataset } as const);
  if (isHttpError(selection)) return selection;
  if (typeof cursor !== 'string') return { selection, filters };
  const position = cursors.decode(formatFilters(dataset, filters), cursor);
  if (isHttpError(position)) return position;
  const page = parseQuoteCursor(position as QuoteCursorValues);
  return { selection: { ...(selection as QuoteSelection), ...page }, filters };
}

/** What a cursor is signed for. */
function formatFilters({ name }: Dataset, filters: QueryPlan['filters']): string {
  return `${name} ${JSON.stringify(filters)}`;
}

type QuoteCursorValues = readonly [
  asOf: number,
  from: string,
  to: string,
  date: string,
  symbol: string,
  matchedBy: SecurityKeyColumn | '',
];

function parseQuoteCursor([asOf, from, to, date, symbol, matchedBy]: QuoteCursorValues) {
  const after = { date, symbol, ...(matchedBy && { matchedBy }) };
  return { asOf, dateRange: [from, to] as const, after };
}

/** The cursor of the page that follows a result; undefined after the last page. */
export function createNextCursor(
  { selection, filters }: QueryPlan,
  { lastPosition, revision }: Pick<ReadResult, 'lastPosition' | 'revision'>,
  cursors: CursorCodec,
): string | undefined {
  if (!lastPosition || selection.kind !== 'quotes') return undefined;
  const { date, symbol, matchedBy = '' } = lastPosition;
  // Without a date range it is the latest day, which all pages stay with.
  const [from, to] = selection.dateRange ?? [date, date];
  const request = formatFilters(selection.dataset, filters);
  return cursors.encode(request, [revision, from, to, date, symbol, matchedBy]);
}

/** A missing fund comes before any other error: the specification knows no exception to it. */
function planFund(dataset: Dataset, query: string): QueryPlan | HttpError {
  const id = findFirstValue(query, 'fund_id');
  if (!id) return createHttpError('no_fund_id');
  const values = parseQuery(query, dataset.parameters);
  return {
    selection: { kind: 'fund', dataset, id },
    filters: {},
    ...(isHttpError(values) && { errorIfFound: values }),
  };
}

type QuoteValues = ParameterValues<typeof quotes.parameters>;

const MIN_DAY = '0001-01-01';
const MAX_DAY = '9999-12-31';

function planQuotes(dataset: Dataset, values: QuoteValues): Selection | HttpError {
  const { symbol, date, from, to, type, limit = DEFAULT_LIMIT } = values;
  const isRange = from !== undefined || to !== undefined;
  if (date !== undefined && isRange) return createHttpError('date_and_range');
  if (from !== undefined && to !== undefined && from > to) return createHttpError('reversed_range');
  return {
    kind: 'quotes',
    dataset,
    limit,
    ...(symbol !== undefined && { security: symbol }),
    ...(type !== undefined && type !== 'all' && { type }),
    ...(date !== undefined && { dateRange: [date, date] as const }),
    ...(isRange && { dateRange: [from ?? MIN_DAY, to ?? MAX_DAY] as const }),
  };
}
