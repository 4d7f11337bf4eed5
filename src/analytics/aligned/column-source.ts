import { quotes } from '../../catalogue/datasets/quotes.ts';
import type { PeriodKind } from '../../catalogue/model/period.ts';
import { getMemberKey } from '../../catalogue/operations/aligned-columns.ts';
import { curveOperation } from '../../catalogue/operations/curve.ts';
import { AbandonedError } from '../../shared/abandoned-error.ts';
import { whenReady } from '../../shared/awaitable.ts';
import { formatDay, parseDay } from '../../shared/calendar.ts';
import { memoize } from '../../shared/memoize.ts';
import type { PeriodRange, ReadResult } from '../../store/open-store.ts';
import {
  createObservationSource,
  type SelectedSeries,
} from '../../transforms/observation-source.ts';
import type { Figure, Point } from '../../transforms/point-groups.ts';
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
  const findPeriods = (range: PeriodRange) => reader.periods(dataset, range, asOf);
  const kind = columns[0]?.source.kind ?? context.kind;
  const source = { kind, findPeriods };
  const toPoint = createPointReader(columns, kind, context.kind);
  if (dataset.shape === 'quotes')
    return {
      ...source,
      allowsGaps: true,
      async read({ from = MIN_DAY, to = MAX_DAY, limit, after }) {
        const dateRange = [formatDay(from), formatDay(after ? Number(after[0]) - 1 : to)] as const;
        const options = { dataset, dateRange, limit, asOf, asNdjson: true };
        const security = values[0] ?? '';
        const page = await reader.read({ kind: 'quotes', security, ...options });
        const points = splitTexts(page).map(toPoint);
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
  if (columns.some(({ source, measure }) => getMemberKey(source, measure) !== undefined))
    return createMemberSource(columns, selected, context);
  return {
    ...source,
    async read(range) {
      if (signal.aborted) throw new AbandonedError();
      const page = await reader.read({
        kind: 'observations',
        ...selected,
        ...range,
        asNdjson: true,
      });
      return { points: splitTexts(page).map(toPoint), next: page.lastKey };
    },
  };
}

const [MIN_DAY, MAX_DAY] = [parseDay('0001-01-01'), parseDay('9999-12-31')];

const splitTexts = ({ count, records }: ReadResult) => (count === 0 ? [] : records.split('\n'));

/**
 * Reads points from the texts of records, whose figures are found by their names: a name within a
 * text of a record has other quotes. Figures that nothing is computed from stay as they are written.
 */
function createPointReader(
  columns: readonly PlannedColumn[],
  kind: PeriodKind,
  tableKind: PeriodKind,
) {
  const fields = columns[0]?.source.measures.map(({ field }) => field) ?? [];
  const figures = columns
    .map((column, index) => {
      const mark = `"${column.measure}":`;
      return {
        index,
        mark,
        place: fields.indexOf(column.measure),
        isKept: isAsPublished(column, tableKind),
      };
    })
    // In the order of a record, so that all of them are found in one pass.
    .sort((a, b) => a.place - b.place);
  const findOrdinal =
    kind.unit === 'day' ? parseKnownDay : (label: string) => kind.toOrdinal(label);
  return (text: string): Point => {
    const labelStart = text.indexOf('":"') + 3;
    const label = text.slice(labelStart, text.indexOf('"', labelStart));
    const values = new Array<Figure>(figures.length);
    let position = 0;
    for (const { index, mark, isKept } of figures) {
      const start = text.indexOf(mark, position);
      if (start < 0) continue;
      position = start + mark.length;
      const comma = text.indexOf(',', position);
      const figure = text.slice(position, comma < 0 ? -1 : comma);
      position = start;
      values[index] = figure === 'null' ? null : isKept ? figure : Number(figure);
    }
    const statusStart = text.lastIndexOf(STATUS_MARK);
    const status = statusStart < 0 ? undefined : text.slice(statusStart + STATUS_MARK.length, -2);
    return { ordinal: findOrdinal(label) ?? Number.NaN, label, dimensions: [], values, status };
  };
}

/** Reading a date takes longer than all else of a record. */
const parseKnownDay = memoize(10_000, parseDay);

const STATUS_MARK = ',"status":"';

/** Members of the list of a series, and its measures. */
function createMemberSource(
  columns: readonly PlannedColumn[],
  selected: SelectedSeries,
  { reader, signal }: TableContext,
): SeriesSource {
  const members = columns.map(({ source, measure }) => getMemberKey(source, measure));
  const fields = columns.map(({ measure }) => measure);
  const measures = { fields, list: columns[0]?.source.keyedList?.field, keys: [] as string[] };
  const source = createObservationSource(reader, selected, measures, signal);
  const toColumns = (point: Point): Point => {
    const { values } = point;
    const byKey = new Map(measures.keys.map((key, index) => [key, values[fields.length + index]]));
    const own = members.map((key, index) => (key === undefined ? values[index] : byKey.get(key)));
    return { ...point, values: own };
  };
  return {
    ...source,
    read: (range) =>
      whenReady(source.read(range), ({ points, next }) => ({
        points: points.map(toColumns),
        next,
      })),
  };
}
