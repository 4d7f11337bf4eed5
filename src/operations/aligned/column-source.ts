import { getCurveReader, toPointRecord } from '../../analytics/curve-reader.ts';
import { priceKnownQuotes } from '../../analytics/price-quotes.ts';
import { MARKET_TYPES } from '../../analytics/quote-source.ts';
import { type Quote, quotes } from '../../catalogue/datasets/quotes.ts';
import type { PeriodKind } from '../../catalogue/model/period.ts';
import { formatDay, parseDay } from '../../shared/calendar.ts';
import { memoize } from '../../shared/memoize.ts';
import type { PeriodRange, QuoteSelection } from '../../store/open-store.ts';
import {
  createObservationSource,
  type PointRange,
  type SeriesSource,
} from '../../transforms/observation-source.ts';
import type { Figure, Point } from '../../transforms/point-groups.ts';
import { DEFAULT_HORIZON_MONTHS } from '../analytics/analytics-operation.ts';
import { computeAnalytics } from '../analytics/read-analytics.ts';
import { type CurveRate, type Market, parseTenor } from '../curve/curve-operation.ts';
import { getMemberKey } from './aligned-sources.ts';
import { createComputedSource, DAYS } from './computed-source.ts';
import type { PlannedColumn, PlannedTable, TableContext } from './plan-table.ts';

/** Columns of one series are read at once, and so are those of the curves of one market. */
export function getSeriesKey(column: PlannedColumn, { kind }: PlannedTable): string {
  const { dataset, dimensions, source } = column;
  const series = source.computed === 'curve' ? dimensions[1] : dimensions;
  return JSON.stringify([dataset, series, isAsPublished(column, kind), isOfLastDays([column])]);
}

/** Whether nothing is computed from the figures of a column in a table of these periods. */
export const isAsPublished = ({ units, source }: PlannedColumn, { unit }: PeriodKind) =>
  units === 'lin' && source.kind.unit === unit;

/** Whether computed figures of a coarser period are those of its last day, whatever others lack. */
const isOfLastDays = (columns: readonly PlannedColumn[]) =>
  columns.every(({ source, aggregate }) => source.computed && aggregate === 'last');

/** The series of columns with the same key, whose points have a figure for each of them. */
export function createColumnSource(
  columns: readonly PlannedColumn[],
  table: PlannedTable,
  context: TableContext,
): SeriesSource {
  const { reader, view, signal } = context;
  const { catalogue, revision: asOf } = view;
  const { dataset: name = '', dimensions: values = [], source } = columns[0] ?? {};
  if (source?.computed === 'curve') return createCurveSource(columns, table, context);
  if (source?.computed) return createAnalyticsSource(columns, table, context);
  const dataset = catalogue.get(name);
  const kind = source?.kind ?? table.kind;
  const toPoint = createFigureReader(columns, kind, table.kind);
  if (dataset.shape === 'quotes')
    return {
      kind,
      allowsGaps: true,
      findPeriods: (range) => reader.periods(dataset, range, asOf),
      async read(range) {
        const { texts, next } = await readQuoteDays(context, values[0], range);
        return { points: texts.map(toPoint), next };
      },
    };
  const includesStatus = table.following.includes('status') && !dataset.declaration?.status;
  const dimensions = values.map((value) => [value]);
  const selected = { dataset, dimensions, includesStatus, asOf };
  return createObservationSource(reader, selected, toPoint, signal);
}

const [MIN_DAY, MAX_DAY] = [parseDay('0001-01-01'), parseDay('9999-12-31')];
/** More than the symbols that an ISIN has on a day. */
const MIN_QUOTES = 100;

/** The quote of a security on each day: of several with its ISIN, that of the first symbol. */
async function readQuoteDays(
  { reader, view }: TableContext,
  security = '',
  { from = MIN_DAY, to = MAX_DAY, after, isOldestFirst = false, ...range }: PointRange,
): Promise<{ texts: readonly string[]; next?: readonly [day: number] | undefined }> {
  const place = after && Number(after[0]);
  const first = isOldestFirst ? (place ?? from - 1) + 1 : from;
  const last = Math.min(isOldestFirst ? to : (place ?? to + 1) - 1, MAX_DAY);
  const { lastKey, count, records } = await reader.read({
    kind: 'quotes',
    dataset: view.catalogue.get(quotes.name),
    security,
    isOldestFirst,
    dateRange: [formatDay(first), formatDay(last)],
    limit: isOldestFirst ? Math.max(range.limit, MIN_QUOTES) : range.limit,
    asOf: view.revision,
    asNdjson: true,
  } satisfies QuoteSelection);
  const days = [...Map.groupBy(count === 0 ? [] : records.split('\n'), readLabel)];
  // The first symbols of a day are the last ones of a page of the other order.
  if (lastKey && isOldestFirst && days.length > 1) days.pop();
  const texts = days.map(([, sameDay]) => sameDay.at(isOldestFirst ? -1 : 0) ?? '');
  return { texts, next: lastKey && [parseDay(days.at(-1)?.[0] ?? '')] };
}

/**
 * Reads points from the texts of records, whose figures are found by their names: a name within a
 * text of a record has other quotes. Figures that nothing is computed from stay as they are written.
 */
function createFigureReader(
  columns: readonly PlannedColumn[],
  kind: PeriodKind,
  tableKind: PeriodKind,
) {
  const figures = columns.map((column) => {
    const key = getMemberKey(column.source, column.measure);
    return {
      mark: key === undefined ? `"${column.measure}":` : `{"key":${JSON.stringify(key)},"value":`,
      end: key === undefined ? ',' : '}',
      isKept: isAsPublished(column, tableKind),
    };
  });
  const findOrdinal = kind.hasDayLabels ? parseKnownDay : (label: string) => kind.toOrdinal(label);
  return (text: string): Point => {
    const label = readLabel(text);
    const values = figures.map(({ mark, end, isKept }) => {
      const found = text.indexOf(mark);
      if (found < 0) return undefined;
      const start = found + mark.length;
      const last = text.indexOf(end, start);
      const figure = text.slice(start, last < 0 ? -1 : last);
      if (figure === 'null') return null;
      return isKept ? figure : Number(figure);
    });
    const statusStart = text.lastIndexOf(STATUS_MARK);
    const status = statusStart < 0 ? undefined : text.slice(statusStart + STATUS_MARK.length, -2);
    return { ordinal: findOrdinal(label) ?? Number.NaN, label, dimensions: [], values, status };
  };
}

/** The period of a record, which comes first. */
function readLabel(text: string): string {
  const start = text.indexOf('":"') + 3;
  return text.slice(start, text.indexOf('"', start));
}

/** Reading a date takes longer than all else of a record. */
const parseKnownDay = memoize(10_000, parseDay);

const STATUS_MARK = ',"status":"';

/**
 * The periods of computed figures, and what becomes of those that are not known. Of coarser periods
 * than days, the last day is enough unless its figure is counted or has to be one of many.
 */
function planComputed(columns: readonly PlannedColumn[], table: PlannedTable) {
  const { kind, minShare, following, includesPartial } = table;
  const isLast = isOfLastDays(columns) && minShare === undefined;
  return {
    kind: isLast && !following.includes('observed') ? kind : DAYS,
    includesPartial,
    isLast,
    // The last day counts even if nothing is known of it.
    unknown:
      isLast && kind.unit !== DAYS.unit && following.includes('observed') ? Number.NaN : null,
  };
}

/** Figures of the curve of a market: of the days on which it is quoted. */
function createCurveSource(
  columns: readonly PlannedColumn[],
  table: PlannedTable,
  { reader, view, signal }: TableContext,
): SeriesSource {
  const { revision: asOf } = view;
  const dataset = view.catalogue.get(quotes.name);
  const curves = getCurveReader(reader);
  const market = columns[0]?.dimensions[1] as Market;
  const types = MARKET_TYPES[market];
  const findDays = (range: PeriodRange) => reader.periods(dataset, { ...range, types }, asOf);
  const tenors = columns.map(({ dimensions: [text = ''] }) => parseTenor(text));
  const { isLast, unknown, ...periods } = planComputed(columns, table);
  const options = { market, revision: asOf, signal };
  return createComputedSource(periods, {
    width: columns.length,
    allowsGaps: isLast || undefined,
    findPeriods: findDays,
    findNewest: () => reader.periods(dataset, { limit: 1 }, asOf),
    async list({ isOldestFirst, limit, ...range }) {
      if (!isOldestFirst) return toDays(await findDays({ ...range, limit }));
      return toDays((await findDays(range)).toReversed().slice(0, limit));
    },
    async compute(days) {
      const figures: Figure[][] = [];
      const dates = days.map(({ day }) => formatDay(day));
      for await (const [, { curve }] of curves.fitDays(dataset, { ...options, dates }))
        figures.push(
          columns.map(({ measure }, index) => {
            const tenor = tenors[index];
            return (tenor && toPointRecord(curve, tenor)[measure as CurveRate]) ?? unknown;
          }),
        );
      return figures;
    },
  });
}

const toDays = (days: readonly number[]) => days.map((day) => ({ day }));

/** Figures of a security: of the days on which it is quoted. */
function createAnalyticsSource(
  columns: readonly PlannedColumn[],
  table: PlannedTable,
  context: TableContext,
): SeriesSource {
  const { reader, view, signal } = context;
  const { revision: asOf } = view;
  const dataset = view.catalogue.get(quotes.name);
  const security = columns[0]?.dimensions[0];
  const { unknown, ...periods } = planComputed(columns, table);
  return createComputedSource(periods, {
    width: columns.length,
    allowsGaps: true,
    findPeriods: (range) => reader.periods(dataset, range, asOf),
    findNewest: () => reader.periods(dataset, { limit: 1 }, asOf),
    async list(range) {
      const texts: string[] = [];
      let after: PointRange['after'];
      do {
        const page = await readQuoteDays(context, security, { ...range, ...(after && { after }) });
        texts.push(...page.texts);
        after = page.next;
      } while (after && texts.length < range.limit);
      return texts.map((text) => ({ day: parseKnownDay(readLabel(text)), text }));
    },
    async compute(days) {
      const found = days.map(({ text }) => JSON.parse(text) as Quote);
      const priced = await priceKnownQuotes(reader, { dataset, asOf }, found, signal);
      return priced.map((quote) => {
        const record = computeAnalytics(quote, { months: DEFAULT_HORIZON_MONTHS });
        const figures = new Map(Object.entries(record));
        return columns.map(({ measure }) => (figures.get(measure) as number | null) ?? unknown);
      });
    },
  });
}
