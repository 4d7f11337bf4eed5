import { MAX_DAYS_EARLIER, type PeriodKind } from '../catalogue/model/period.ts';
import { listCoarserUnits } from '../catalogue/model/period-unit.ts';
import type { UnitsCode } from '../catalogue/model/transform-parameters.ts';
import { getBase } from './units.ts';

/** How the periods of one kind make up those of a coarser kind. */
export interface PeriodNesting {
  readonly kind: PeriodKind;
  /** The coarser period that one belongs to. */
  readonly toCoarser: (ordinal: number) => number;
  /** The first period of a coarser one. */
  readonly getFirst: (coarser: number) => number;
}

/** Undefined if periods of the one kind do not make up those of the other. */
export function nestPeriods(own: PeriodKind, kind: PeriodKind): PeriodNesting | undefined {
  const offset = (own.yearStart ?? 1) - (kind.yearStart ?? 1);
  if (own.unit === kind.unit)
    return own.hasYearStart && offset !== 0
      ? undefined
      : { kind, toCoarser: (ordinal) => ordinal, getFirst: (ordinal) => ordinal };
  if (!listCoarserUnits(own.unit).includes(kind.unit)) return undefined;
  if (offset % (own.length.months ?? 1) !== 0) return undefined;
  const toCoarser = (ordinal: number) =>
    kind.findOrdinal(own.getFirstDay(ordinal) + own.decisiveDay);
  return {
    kind,
    toCoarser,
    getFirst(coarser) {
      const first = own.findOrdinal(kind.getFirstDay(coarser));
      return toCoarser(first) < coarser ? first + 1 : first;
    },
  };
}

/**
 * The period that one is compared with, by the calendar. Of days, `findDay` gives the newest one up
 * to a day on which there is any record.
 */
export function findBasePeriod(
  kind: PeriodKind,
  ordinal: number,
  units: UnitsCode,
  findDay: (upTo: number) => number | undefined,
): number | undefined {
  const base = getBase(units);
  if (base === undefined) return undefined;
  if (base === 'period') return kind.hasHolidays ? findDay(ordinal - 1) : ordinal - 1;
  const before = kind.getYearBefore(ordinal);
  if (!kind.hasHolidays) return before;
  const day = findDay(before);
  return day !== undefined && day >= before - MAX_DAYS_EARLIER ? day : undefined;
}
