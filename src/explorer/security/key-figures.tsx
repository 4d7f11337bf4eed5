import { FactList } from '../components/panel.tsx';
import { formatDayLabel, formatOtherDay } from '../formatting/dates.ts';
import {
  formatDays,
  formatFigure,
  formatFigureChange,
  getShortUnit,
} from '../formatting/numbers.ts';
import type { NewestFigures } from './newest-figures-panel.tsx';
import { getField, hasMatured, type SecurityProps } from './quote-fields.ts';

/** Newest price, yield and spread with their changes since the day before, and the time to maturity. */
export function KeyFigures({
  entry,
  security,
  figures,
}: SecurityProps & { figures: NewestFigures }) {
  const { rows } = figures.changes;
  const newest = figures.quotesQuery.data?.[0];
  const years = newest && formatDays(newest.maturityYears, getField(entry, 'maturityYears'));
  const facts = rows.map(({ name, hint, unitInfo, changes }) => {
    const { newest: current, earlier } = changes ?? {};
    const change = current && earlier?.day && current.value - earlier.day.value;
    return {
      name,
      hint,
      value: (
        <>
          {formatFigure(current?.value, unitInfo)} <small>{getShortUnit(unitInfo)}</small>
          {change !== undefined && earlier?.day && (
            <small class="muted">
              {formatFigureChange(change, unitInfo)} since{' '}
              {formatOtherDay(earlier.day.date, current?.date ?? '')}
            </small>
          )}
        </>
      ),
    };
  });
  const maturity = {
    name: hasMatured(security, entry) ? 'Matured' : 'Maturity',
    value: (
      <>
        {formatDayLabel(security.maturityDate)}
        <small class="muted">
          {years ??
            (newest
              ? `${formatFigure(newest.maturityYears, getField(entry, 'maturityYears'))} years`
              : '')}
        </small>
      </>
    ),
  };
  return (
    <div class="key-figures">
      <FactList facts={[...facts, maturity]} />
    </div>
  );
}
