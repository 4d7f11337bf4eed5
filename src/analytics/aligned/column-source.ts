import { type Quote, quotes } from '../../catalogue/datasets/quotes.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { PeriodKind } from '../../catalogue/model/period.ts';
import { getMemberKey } from '../../catalogue/operations/aligned-columns.ts';
import { curveOperation } from '../../catalogue/operations/curve.ts';
import { whenReady } from '../../shared/awaitable.ts';
import { formatDay, parseDay } from '../../shared/calendar.ts';
import { createObservationSource } from '../../transforms/observation-source.ts';
import type { Point } from '../../transforms/point-groups.ts';
import type { SeriesSource } from '../../transforms/read-groups.ts';
import { createCurveSource } from './curve-source.ts';
import type { PlannedColumn, TableContext } from './plan-table.ts';

/** Columns of one series are read at once, and so are those of the curves of one market. */
export function getSeriesKey({ dataset, dimensions }: PlannedColumn): string {
  return JSON.stringify([dataset, dataset === curveOperation.name ? dimensions[1] : dimensions]);
}

/** The series of columns with the same key, whose points have a figure for each of them. */
export function createColumnSource(
  columns: readonly PlannedColumn[],
  context: TableContext,
): SeriesSource {
  const { dataset: name = '' } = columns[0] ?? {};
  if (name === curveOperation.name)
    return createCurveSource(columns, context.catalogue.get(quotes.name), context);
  const dataset = context.catalogue.get(name);
  return dataset.shape === 'quotes'
    ? createQuoteSource(columns, dataset, context)
    : createMeasureSource(columns, dataset, context);
}

/** The measures of one series of a dataset, and the members of its list. */
function createMeasureSource(
  columns: readonly PlannedColumn[],
  dataset: Dataset,
  { reader, selection, asOf, signal }: TableContext,
): SeriesSource {
  const { keyedList, status } = dataset.declaration ?? {};
  const members = columns.map(({ measure }) => keyedList && getMemberKey(keyedList.field, measure));
  const fields = columns.map(({ measure }) => measure);
  const list = members.some((key) => key !== undefined) ? keyedList?.field : undefined;
  const measures = { fields, list, keys: [] as string[] };
  const dimensions = columns[0]?.dimensions.map((value) => [value]) ?? [];
  // A declared status is a part of the record.
  const selected = {
    dataset,
    dimensions,
    includesStatus: selection.includesStatus && !status,
    asOf,
  };
  const source = createObservationSource(reader, selected, measures, signal);
  if (list === undefined) return source;
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

const [MIN_DAY, MAX_DAY] = [parseDay('0001-01-01'), parseDay('9999-12-31')];

/** Figures of the quotes of a security, by its symbol or ISIN; it is not quoted each day. */
function createQuoteSource(
  columns: readonly PlannedColumn[],
  dataset: Dataset,
  { reader, asOf }: TableContext,
): SeriesSource {
  const { source, dimensions = [] } = columns[0] ?? {};
  return {
    kind: source?.kind as PeriodKind,
    allowsGaps: true,
    findPeriods: (range) => reader.periods(dataset, range, asOf),
    async read({ from = MIN_DAY, to = MAX_DAY, limit, after }) {
      const last = after ? Number(after[0]) - 1 : to;
      const dateRange = [formatDay(from), formatDay(last)] as const;
      const selection = { kind: 'quotes', dataset, dateRange, limit, asOf } as const;
      const { records, lastPosition } = await reader.read({
        ...selection,
        security: dimensions[0] ?? '',
      });
      const points: Point[] = [];
      for (const quote of JSON.parse(`[${records}]`) as Quote[]) {
        const { date: label } = quote;
        const values = columns.map(({ measure }) => quote[measure as keyof Quote] as number);
        // An ISIN may be that of several symbols: the first one counts.
        if (points.at(-1)?.label !== label)
          points.push({ ordinal: parseDay(label), label, dimensions: [], values });
      }
      return { points, next: lastPosition && [parseDay(lastPosition.date)] };
    },
  };
}
