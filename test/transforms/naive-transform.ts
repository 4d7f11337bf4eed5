import type { AnyRecord } from '../../src/catalogue/model/dataset.ts';
import type { Declaration } from '../../src/catalogue/model/declaration.ts';
import { createPeriodKind } from '../../src/catalogue/model/period.ts';
import type { PeriodUnit } from '../../src/catalogue/model/period-unit.ts';
import { formatDay, parseDay } from '../../src/shared/calendar.ts';

export interface RequestedTransform {
  readonly frequency?: PeriodUnit;
  readonly year_start?: number;
  readonly aggregate?: string;
  readonly units?: string;
  readonly min_share?: number;
  readonly partial?: boolean;
}

type Figure = number | null;

/**
 * What a transform should give, newest period first, with every figure computed by itself. For
 * figures of up to three decimals.
 */
export function transformNaively(
  { period, dimensions = [], measures, status }: Declaration,
  records: readonly AnyRecord[],
  { frequency, year_start, aggregate, units = 'lin', ...completeness }: RequestedTransform,
): AnyRecord[] {
  const own = createPeriodKind(period.kind, period.yearStart);
  const unit = frequency ?? period.kind;
  const kind = createPeriodKind(unit, year_start ?? period.yearStart);
  const toOwn = (record: AnyRecord) => own.toOrdinal(String(record[period.field])) ?? Number.NaN;
  const toResult = (ordinal: number) =>
    kind.findOrdinal(own.getFirstDay(ordinal) + (period.kind === 'week' ? 3 : 0));
  const recorded = [...new Set(records.map(toOwn))].sort((a, b) => a - b);
  const newest = toResult(recorded.at(-1) ?? Number.NaN);
  const getSeries = (record: AnyRecord) => dimensions.map(({ field }) => String(record[field]));

  /** All periods of the dataset's own kind that are in one of the result. */
  function listOwnPeriods(ordinal: number): number[] {
    const all = [];
    const first = own.findOrdinal(kind.getFirstDay(ordinal)) - 1;
    const last = own.findOrdinal(kind.getFirstDay(ordinal + 1)) + 1;
    for (let each = first; each <= last; each++) if (toResult(each) === ordinal) all.push(each);
    return period.kind === 'day' ? all.filter((each) => recorded.includes(each)) : all;
  }

  const groups = Map.groupBy(
    records.toSorted((a, b) => toOwn(a) - toOwn(b)),
    (record) => `${toResult(toOwn(record))} ${getSeries(record)}`,
  );
  const listRecords = (ordinal: number, series: readonly string[]) =>
    groups.get(`${ordinal} ${series}`) ?? [];

  function computeFigure(
    { field, kind: measureKind }: Declaration['measures'][number],
    ordinal: number | undefined,
    series: readonly string[],
  ): Figure {
    if (ordinal === undefined) return null;
    const found = listRecords(ordinal, series).map((record) => (record[field] ?? null) as Figure);
    const figures = found.filter((figure) => figure !== null);
    if (!frequency || figures.length === 0) return figures[0] ?? null;
    const periods = listOwnPeriods(ordinal);
    const reached = periods.filter((each) => each <= (recorded.at(-1) ?? Number.NaN));
    const isOver = period.kind === 'day' ? ordinal < newest : reached.length === periods.length;
    if (!isOver && !completeness.partial) return null;
    if (figures.length < reached.length * (completeness.min_share ?? 1) - 1e-9) return null;
    const sum = Number(figures.reduce((total, figure) => total + figure, 0).toFixed(3));
    return {
      sum,
      mean: sum / figures.length,
      first: figures[0] ?? null,
      last: figures.at(-1) ?? null,
      min: Math.min(...figures),
      max: Math.max(...figures),
    }[
      aggregate ?? { flow: 'sum', stock: 'last', rate: 'mean', index: 'mean' }[measureKind]
    ] as Figure;
  }

  function findBase(ordinal: number): number | undefined {
    const isYear = units === 'ch1' || units === 'pc1';
    const first = kind.getFirstDay(ordinal);
    if (!isYear)
      return unit === 'day'
        ? recorded.findLast((day) => day < ordinal)
        : kind.findOrdinal(first - 1);
    const label = kind.formatLabel(ordinal);
    if (unit === 'week') {
      const before = String(Number(label.slice(0, 4)) - 1) + label.slice(4);
      return kind.toOrdinal(before) ?? kind.toOrdinal(before.replace('W53', 'W52'));
    }
    const [year, rest] = [formatDay(first).slice(0, 4), formatDay(first).slice(4)];
    const sameDay = parseDay(`${Number(year) - 1}${rest === '-02-29' ? '-02-28' : rest}`);
    if (unit !== 'day') return kind.findOrdinal(sameDay);
    return recorded.findLast((day) => day <= sameDay && day >= sameDay - 7);
  }

  function convert(figure: Figure, base: Figure): Figure {
    if (figure === null || units === 'lin') return figure;
    if (units === 'log') return figure > 0 ? Math.log(figure) : null;
    if (base === null) return null;
    if (units === 'chg' || units === 'ch1') return figure - base;
    if (figure <= 0 || base <= 0) return null;
    const perYear = { day: 365, week: 52, month: 12, quarter: 4, year: 1 }[unit];
    const log = 100 * (Math.log(figure) - Math.log(base));
    if (units === 'cch') return log;
    if (units === 'cca') return log * perYear;
    return 100 * ((figure / base) ** (units === 'pca' ? perYear : 1) - 1);
  }

  return [...groups.values()]
    .map(([record = {}]) => ({ ordinal: toResult(toOwn(record)), series: getSeries(record) }))
    .sort(
      (a, b) =>
        b.ordinal - a.ordinal ||
        Buffer.compare(Buffer.from(a.series.join('\0')), Buffer.from(b.series.join('\0'))),
    )
    .map(({ ordinal, series }) => {
      const inPeriod = listRecords(ordinal, series);
      const counts = measures.map(
        ({ field }) => inPeriod.filter((record) => (record[field] ?? null) !== null).length,
      );
      const marked = inPeriod.findLast((record) => record.status !== 'A');
      return Object.fromEntries([
        [period.field, kind.formatLabel(ordinal)],
        ...dimensions.map(({ field }, index) => [field, series[index]]),
        ...measures.map((measure) => [
          measure.field,
          convert(
            computeFigure(measure, ordinal, series),
            computeFigure(measure, findBase(ordinal), series),
          ),
        ]),
        ...(status ? [['status', marked?.status ?? 'A']] : []),
        ...(frequency
          ? [
              ['observed', Math.min(...counts)],
              ['expected', listOwnPeriods(ordinal).length],
            ]
          : []),
      ]);
    });
}
