import type { quotes } from '../../catalogue/datasets/quotes.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { ParameterValues } from '../../catalogue/model/parameter.ts';
import type { ResponseFormatName } from '../../catalogue/model/response-format.ts';
import { DEFAULT_LIMIT } from '../../catalogue/model/response-parameters.ts';
import { foldAsciiCase } from '../../schema/fold-ascii-case.ts';
import type {
  QuoteSelection,
  ReadResult,
  SecurityKeyColumn,
  Selection,
} from '../../store/open-store.ts';
import { HttpError } from '../http-error.ts';
import type { CursorCodec, CursorValues } from './cursor-codec.ts';
import { type DataQuery, parseDataQuery, withFormat } from './data-query.ts';
import { findFirstValue } from './parse-query.ts';

/** The records that a query string selects, and how they are to be sent. */
export interface QueryPlan extends Pick<DataQuery, 'filters' | 'asOf' | 'fields'> {
  readonly selection: Selection;
  readonly format: ResponseFormatName;
  /** The text that cursors are signed for. */
  readonly cursorScope: string;
  /** The error of the request, if anything is selected at all. */
  readonly errorIfFound?: HttpError;
}

/** Parses a query string into a plan of what to read; later stages never see the string. */
export function planQuery(
  dataset: Dataset,
  query: string,
  { cursors, acceptedFormat }: { cursors: CursorCodec; acceptedFormat: ResponseFormatName },
): QueryPlan | HttpError {
  if (dataset.shape === 'fund') return planFund(dataset, query, acceptedFormat);
  const values = withFormat(parseDataQuery(query, dataset.parameters), acceptedFormat);
  if (values instanceof HttpError) return values;
  const { cursor, filters } = values;
  const selection =
    dataset.shape === 'quotes'
      ? planQuotes(dataset, filters)
      : ({ kind: 'series', dataset } as const);
  if (selection instanceof HttpError) return selection;
  const plan = { ...values, selection, cursorScope: `${dataset.name} ${JSON.stringify(filters)}` };
  if (cursor === undefined) return plan;
  const position = cursors.decode(plan.cursorScope, cursor);
  if (position instanceof HttpError) return position;
  const page = parseQuoteCursor(position as QuoteCursorValues);
  return { ...plan, selection: { ...(selection as QuoteSelection), ...page } };
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
  return { asOf, ...(from !== '' && { dateRange: [from, to] as const }), after };
}

/** The cursor values of the page that follows a result; undefined after the last page. */
export function findNextQuotes(
  selection: Selection,
  { lastPosition, revision }: Pick<ReadResult, 'lastPosition' | 'revision'>,
): CursorValues | undefined {
  if (!lastPosition || selection.kind !== 'quotes') return undefined;
  const { date, symbol, matchedBy = '' } = lastPosition;
  // Without a date range it is the latest day, which all pages stay with; each of several securities
  // has its own, as of the revision.
  const [from, to] = selection.dateRange ?? (selection.securities ? ['', ''] : [date, date]);
  return [revision, from, to, date, symbol, matchedBy];
}

/** A missing fund comes before any other error: the specification knows no exception to it. */
function planFund(dataset: Dataset, query: string, acceptedFormat: ResponseFormatName) {
  const id = findFirstValue(query, 'fund_id');
  if (!id) return new HttpError('no_fund_id');
  const selection = { kind: 'fund', dataset, id } as const;
  const values = withFormat(parseDataQuery(query, dataset.parameters), acceptedFormat);
  const plan = { selection, cursorScope: dataset.name };
  return values instanceof HttpError
    ? { ...plan, filters: {}, format: acceptedFormat, errorIfFound: values }
    : { ...values, ...plan };
}

type QuoteValues = ParameterValues<typeof quotes.parameters>;

const MIN_DAY = '0001-01-01';
const MAX_DAY = '9999-12-31';

function planQuotes(dataset: Dataset, values: QuoteValues): Selection | HttpError {
  const { symbol, date, from, to, type, sort, limit = DEFAULT_LIMIT } = values;
  const isRange = from !== undefined || to !== undefined;
  if (date !== undefined && isRange) return new HttpError('date_and_range');
  if (from !== undefined && to !== undefined && from > to) return new HttpError('reversed_range');
  if (sort === 'asc' && !isRange) return new HttpError('sorted_without_range');
  return {
    kind: 'quotes',
    dataset,
    limit,
    ...(sort === 'asc' && { isOldestFirst: true }),
    ...(symbol !== undefined && selectSecurities(symbol)),
    ...(type !== undefined && type !== 'all' && { type }),
    ...(date !== undefined && { dateRange: [date, date] as const }),
    ...(isRange && { dateRange: [from ?? MIN_DAY, to ?? MAX_DAY] as const }),
  };
}

function selectSecurities(symbol: string): Pick<QuoteSelection, 'security' | 'securities'> {
  const [first = symbol, ...others] = splitSymbols(symbol);
  return others.length === 0 ? { security: first } : { securities: [first, ...others] };
}

/** Each security once, in whatever letters. */
export function splitSymbols(symbol: string): string[] {
  if (!symbol.includes(',')) return [symbol];
  return [...new Map(symbol.split(',').map((text) => [foldAsciiCase(text), text])).values()];
}
