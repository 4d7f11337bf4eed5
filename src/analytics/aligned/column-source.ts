import { quotes } from '../../catalogue/datasets/quotes.ts';
import type { PeriodKind } from '../../catalogue/model/period.ts';
import { getMemberKey } from '../../operations/aligned/aligned-columns.ts';
import { curveOperation } from '../../operations/curve/curve-operation.ts';
import { formatDay, parseDay } from '../../shared/calendar.ts';
import { memoize } from '../../shared/memoize.ts';
import { createObservationSource } from '../../transforms/observation-source.ts';
import type { Point } from '../../transforms/point-groups.ts';
import type { SeriesSource } from '../../transforms/read-groups.ts';
import { createCurveSource } from './curve-source.ts';
import type { PlannedColumn, TableContext } from './plan-table.ts';

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
  context: TableContext,
): SeriesSource {
  const { reader, catalogue, selection, asOf, signal } = context;
  const { dataset: name = '', dimensions: values = [] } = columns[0] ?? {};
  if (name === curveOperation.name)
    return createCurveSource(columns, catalogue.get(quotes.name), context);
  const dataset = catalogue.get(name);
  const kind = columns[0]?.source.kind ?? context.kind;
  const toPoint = createFigureReader(columns, kind, context.kind);
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
        const { lastPosition } = page;
        return {
          points: points.filter(isFirst),
          next: lastPosition && [parseDay(lastPosition.date)],
        };
      },
    };
  // A declared status is a part of the record.
  const includesStatus = selection.includesStatus && !dataset.declaration?.status;
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
