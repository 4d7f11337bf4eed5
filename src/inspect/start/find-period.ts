import { createPeriodKind, monthly } from '../../catalogue/model/period.ts';
import type { PeriodUnit } from '../../catalogue/model/period-unit.ts';
import { InvalidCell } from '../../publish/cells/create-converter.ts';
import { stripMidnight } from '../../publish/cells/parse-day.ts';
import { createPeriodParser } from '../../publish/cells/parse-period.ts';
import { formatDay, isDay, parseDay } from '../../shared/calendar.ts';
import { isTimeKind } from '../cell-kinds.ts';
import { toText } from '../find-header.ts';
import type { ColumnProfile } from '../profile-column.ts';
import type { TriedTable } from './try-rows.ts';

/** The first column with days or periods in every row, and the kind of period that these stand for. */
export function findPeriod({ columns, dataRows }: TriedTable) {
  const column =
    columns.find(({ parts }) => parts) ??
    columns.find(({ kind, blank, name }) => isTimeKind(kind) && blank === 0 && name !== '');
  if (!column) return undefined;
  const texts = dataRows.map(({ cells }) => stripMidnight(toText(cells[column.index])));
  return { column, kind: findCoarsest(column.kind, [...new Set(texts)]) };
}

const MIN_PERIODS = 3;

/** Days that all begin or end a month, and months at the distance of quarters or years, stand for these. */
function findCoarsest(kind: ColumnProfile['kind'], texts: readonly string[]) {
  if (texts.length < MIN_PERIODS || (kind !== 'day' && kind !== 'month')) return kind;
  const areFirst = texts.every((text) => isDay(text) && text.endsWith('-01'));
  const areLast = texts.every((text) => isDay(text) && isLastOfMonth(text));
  if (kind === 'day' && !areFirst && !areLast) return kind;
  const months = texts.flatMap((text) => monthly.toOrdinal(String(PARSERS.month(text))) ?? []);
  const [first = 0] = months;
  if (months.length < texts.length) return kind;
  const isApart = (distance: number) => months.every((month) => (month - first) % distance === 0);
  const isRead = (unit: keyof typeof PARSERS) =>
    texts.every((text) => !(PARSERS[unit](text) instanceof InvalidCell));
  if (isApart(12)) return isRead('year') ? 'year' : 'month';
  // Quarters end with their last month, and not with the first.
  const isQuarter = isApart(3) && isRead('quarter') && !(areLast && first % 3 === 0);
  return isQuarter ? 'quarter' : 'month';
}

/** Reads labels as a load does: it takes no month in the middle of a quarter for it. */
const createParser = (unit: PeriodUnit) =>
  createPeriodParser(createPeriodKind(unit), { periodStyle: 'sbp' });
const PARSERS = {
  month: createParser('month'),
  quarter: createParser('quarter'),
  year: createParser('year'),
};

const isLastOfMonth = (day: string) => formatDay(parseDay(day) + 1).endsWith('-01');
