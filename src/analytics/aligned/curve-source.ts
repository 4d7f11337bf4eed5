import type { Dataset } from '../../catalogue/model/dataset.ts';
import { createPeriodKind } from '../../catalogue/model/period.ts';
import { type CurveRate, type Market, parseTenor } from '../../operations/curve/curve-operation.ts';
import { formatDay } from '../../shared/calendar.ts';
import type { PeriodRange } from '../../store/open-store.ts';
import { nestPeriods } from '../../transforms/period-nesting.ts';
import type { Point } from '../../transforms/point-groups.ts';
import { type SeriesSource, toOwnRange } from '../../transforms/read-groups.ts';
import { toPointRecord } from '../curve-reader.ts';
import { MARKET_TYPES } from '../quote-source.ts';
import type { PlannedColumn, TableContext } from './plan-table.ts';

/** A fit takes some milliseconds, so that few more are made than a page needs. */
const MAX_FITS_AT_ONCE = 25;
const DAYS_PER_YEAR = 366;
const DAYS = createPeriodKind('day');

/**
 * Figures of the curve of a market in the periods of a table: those of the last day with quotes of
 * each. The last day of the newest period may still come, so that its figures are not known.
 */
export function createCurveSource(
  columns: readonly PlannedColumn[],
  dataset: Dataset,
  { reader, curves, selection, kind, asOf, signal }: TableContext,
): SeriesSource {
  const nesting = nestPeriods(DAYS, kind);
  if (!nesting) throw new TypeError(`days make up no ${kind.unit}`);
  const { toCoarser, getFirst } = nesting;
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
      const count = Math.min(limit, selection.limit + 1, MAX_FITS_AT_ONCE);
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
