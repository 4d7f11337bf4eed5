import { formatDayLabel } from '../formatting/dates.ts';
import { formatNumber, formatSigned, pluralize } from '../formatting/numbers.ts';
import type { CurveFit } from './fit-nelson-siegel.ts';
import { type FilteredDay, getCurveQuotes, getFit, ISSUER_GROUPS } from './yield-curves.ts';

interface YieldTilesProps {
  readonly day: FilteredDay;
  readonly comparison: FilteredDay | undefined;
}

const [GOVERNMENT] = ISSUER_GROUPS;
/** In years. */
const TILE_TENORS = [0.25, 0.5, 1, 3, 5, 10];

/** The yields of common maturities on the government curve. */
export function YieldTiles({ day, comparison }: YieldTilesProps) {
  const fit = getFit(day.quotes, GOVERNMENT);
  const earlierFit = comparison && getFit(comparison.quotes, GOVERNMENT);
  if (!fit) return null;
  return (
    <section class="tenors" aria-label="Government yields">
      <h2>
        Government yields{' '}
        <span class="muted">
          on the fitted curve
          {earlierFit && `, and how they changed since ${formatDayLabel(comparison.date)}`}
        </span>
      </h2>
      <div class="tiles">
        {TILE_TENORS.filter((years) => isCoveredByFit(fit, years)).map((years) => (
          <div key={years} class="tile">
            <span>{years < 1 ? pluralize(years * 12, 'month') : pluralize(years, 'year')}</span>
            <b>{formatNumber(fit.yieldAt(years), 2)} %</b>
            {earlierFit && isCoveredByFit(earlierFit, years) && (
              // Without green and red, because a higher yield is neither good nor bad.
              <small class="change">
                {formatSigned((fit.yieldAt(years) - earlierFit.yieldAt(years)) * 100, 0)} bp
              </small>
            )}
            <small class="nearest">Nearest quote: {findNearestQuote(day, fit, years)}</small>
          </div>
        ))}
      </div>
    </section>
  );
}

/** Whether the maturity is near enough to the quotes that the curve is fitted through. */
function isCoveredByFit({ from, to }: CurveFit, years: number): boolean {
  return years >= from * 0.8 && years <= to * 1.05;
}

/** Quotes further from the curve, in percentage points, are hardly comparable paper. */
const MAX_CURVE_DISTANCE = 0.2;

/** The quote near the curve with the nearest maturity. */
function findNearestQuote({ quotes }: FilteredDay, { yieldAt }: CurveFit, years: number): string {
  const [nearest] = getCurveQuotes(quotes, GOVERNMENT)
    .filter(({ ytm, maturityYears }) => Math.abs(ytm - yieldAt(maturityYears)) < MAX_CURVE_DISTANCE)
    .toSorted((a, b) => Math.abs(a.maturityYears - years) - Math.abs(b.maturityYears - years));
  return nearest ? `${nearest.symbol} ${formatNumber(nearest.ytm, 2)} %` : 'none';
}
