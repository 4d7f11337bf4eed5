import { getCurveReader, toPointRecord } from '../../analytics/curve-reader.ts';
import { MARKET_TYPES } from '../../analytics/quote-source.ts';
import { quotes } from '../../catalogue/datasets/quotes.ts';
import { createPeriodKind, type PeriodKind } from '../../catalogue/model/period.ts';
import { formatDay, parseDay } from '../../shared/calendar.ts';
import { memoize } from '../../shared/memoize.ts';
import type { PeriodRange } from '../../store/open-store.ts';
import {
  createObservationSource,
  type SeriesSource,
  toOwnRange,
} from '../../transforms/observation-source.ts';
import { nestPeriods } from '../../transforms/period-nesting.ts';
import type { Point } from '../../transforms/point-groups.ts';
import {
  type CurveRate,
  curveOperation,
  type Market,
  parseTenor,
} from '../curve/curve-operation.ts';
import { getMemberKey } from './aligned-columns.ts';
import type { PlannedColumn, PlannedTable, TableContext } from './plan-table.ts';

/** Columns of one series are read at once, and so are those of the curves of one market. */
export function getSeriesKey(column: PlannedColumn, kind: PeriodKind): string {
  const { dataset, dimensions } = column;
  const series = dataset === curveOperation.name ? dimensions[1] : dimensions;
  return JSON.stringify([dataset, series, isAsPublished(column, kind)]);
}

/** Whether nothing is computed from the figures of a column in a table of these periods. */
export const isAsPublished = ({ units, source }: PlannedColumn, { unit }: PeriodKind) =>
  units === 'lin' && source.kind.unit === unit;

/** The series of columns with the same key, whose points have a figure for each of them. */
export function createColumnSource(
  columns: readonly PlannedColumn[],
  table: PlannedTable,
  context: TableContext,
): SeriesSource {
  const { reader, view, signal } = context;
  const { catalogue, revision: asOf } = view;
  const { dataset: name = '', dimensions: values = [] } = columns[0] ?? {};
  if (name === curveOperation.name) return createCurveSource(columns, table, context);
  const dataset = catalogue.get(name);
  const kind = columns[0]?.source.kind ?? table.kind;
  const toPoint = createFigureReader(columns, kind, table.kind);
  if (dataset.shape === 'quotes')
    return {
      kind,
      allowsGaps: true,
      findPeriods: (range) => reader.periods(dataset, range, asOf),
      async read({ from = MIN_DAY, to = MAX_DAY, limit, after }) {
        const last = Math.min(after ? Number(after[0]) - 1 : to, MAX_DAY);
        const dateRange = [formatDay(from), formatDay(last)] as const;
        const options = { dataset, dateRange, limit, asOf, asNdjson: true };
        const security = values[0] ?? '';
        const page = await reader.read({ kind: 'quotes', security, ...options });
        const points = page.count === 0 ? [] : page.records.split('\n').map(toPoint);
        // An ISIN may be that of several symbols: the first one counts.
        const isFirst = ({ ordinal }: Point, index: number) =>
          points[index - 1]?.ordinal !== ordinal;
        const next = page.lastKey && [parseDay(String(page.lastKey[0]))];
        return { points: points.filter(isFirst), next };
      },
    };
  // A declared status is a part of the record.
  const includesStatus = table.includesStatus && !dataset.declaration?.status;
  const dimensions = values.map((value) => [value]);
  const selected = { dataset, dimensions, includesStatus, asOf };
  return createObservationSource(reader, selected, toPoint, signal);
}

const [MIN_DAY, MAX_DAY] = [parseDay('0001-01-01'), parseDay('9999-12-31')];

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
    const labelStart = text.indexOf('":"') + 3;
    const label = text.slice(labelStart, text.indexOf('"', labelStart));
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

/** Reading a date takes longer than all else of a record. */
const parseKnownDay = memoize(10_000, parseDay);

const STATUS_MARK = ',"status":"';

/** A fit takes some milliseconds, so that few more are made than a page needs. */
const MAX_FITS_AT_ONCE = 25;
const DAYS_PER_YEAR = 366;
const DAYS = createPeriodKind('day');

/**
 * Figures of the curve of a market in the periods of a table: those of the last day with quotes of
 * each. The last day of the newest period may still come, so that its figures are not known.
 */
function createCurveSource(
  columns: readonly PlannedColumn[],
  { kind, limit: maxRows }: PlannedTable,
  { reader, view, signal }: TableContext,
): SeriesSource {
  const nesting = nestPeriods(DAYS, kind);
  if (!nesting) throw new TypeError(`days make up no ${kind.unit}`);
  const { toCoarser, getFirst } = nesting;
  const { revision: asOf } = view;
  const dataset = view.catalogue.get(quotes.name);
  const curves = getCurveReader(reader);
  const market = columns[0]?.dimensions[1] as Market;
  const types = MARKET_TYPES[market];
  const findDays = (range: PeriodRange) => reader.periods(dataset, { ...range, types }, asOf);
  const tenors = columns.map(({ dimensions: [text = ''] }) => parseTenor(text));
  const readFigures = async (day: number) => {
    const options = { market, revision: asOf, signal };
    const curve = await curves.fitCurve(dataset, formatDay(day), options);
    return columns.map(({ measure }, index) => {
      const tenor = tenors[index];
      return tenor ? toPointRecord(curve, tenor)[measure as CurveRate] : null;
    });
  };
  return {
    kind,
    async findPeriods({ from, to, limit }) {
      const days = await findDays(toOwnRange(nesting, from, to));
      return [...new Set(days.map(toCoarser))].slice(0, limit);
    },
    async read({ from, to, limit, after }) {
      const last = after ? Number(after[0]) - 1 : to;
      const count = Math.min(limit, maxRows + 1, MAX_FITS_AT_ONCE);
      const maxDays = (count + 1) * Math.ceil(DAYS_PER_YEAR / kind.periodsPerYear);
      const days = await findDays({ ...toOwnRange(nesting, from, last), limit: maxDays });
      const [newest = 0] = await reader.periods(dataset, { limit: 1 }, asOf);
      const periods = [...Map.groupBy(days, toCoarser)];
      const points: Point[] = [];
      for (const [ordinal, [day = 0]] of periods.slice(0, count)) {
        const isKnown = kind.hasHolidays || newest >= getFirst(ordinal + 1);
        const values = isKnown ? await readFigures(day) : columns.map(() => null);
        points.push({ ordinal, label: kind.formatLabel(ordinal), dimensions: [], values });
      }
      return { points, next: periods.length > count ? [points.at(-1)?.ordinal ?? 0] : undefined };
    },
  };
}
