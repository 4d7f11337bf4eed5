import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { formatDayLabel } from '../formatting/dates.ts';
import { formatNumber, formatSigned } from '../formatting/numbers.ts';
import { hasYield } from '../security/quote.ts';
import type { CurveFit } from './fit-nelson-siegel.ts';
import type { ComparisonDay } from './use-market-day.ts';
import { getFit, ISSUER_GROUPS, TENORS } from './yield-curves.ts';

interface YieldTilesProps {
  readonly quotes: readonly Quote[];
  readonly before: ComparisonDay | undefined;
}

const [GOVERNMENT] = ISSUER_GROUPS;
const TILE_TENORS = new Set([0.25, 0.5, 1, 3, 5, 10]);

/** What the government's curve says of the maturities that people ask for. */
export function YieldTiles({ quotes, before }: YieldTilesProps) {
  const now = getFit(quotes, GOVERNMENT);
  const then = before && getFit(before.quotes, GOVERNMENT);
  if (!now) return null;
  const tenors = TENORS.filter(({ years }) => TILE_TENORS.has(years) && isCoveredByFit(now, years));
  return (
    <section class="tenors" aria-label="Government yields">
      <h2>
        Government yields{' '}
        <span class="muted">
          on the fitted curve
          {then && before && `, and how they changed since ${formatDayLabel(before.date)}`}
        </span>
      </h2>
      <div class="tiles">
        {tenors.map(({ years, text }) => (
          <div key={years} class="tile">
            <span>{text}</span>
            <b>{formatNumber(now.yieldAt(years), 2)} %</b>
            {then && isCoveredByFit(then, years) && (
              <BasisPointChange points={(now.yieldAt(years) - then.yieldAt(years)) * 100} />
            )}
            <small class="nearest">Nearest on it: {findNearestQuote(quotes, now, years)}</small>
          </div>
        ))}
      </div>
    </section>
  );
}

/** Basis points. Green and red are left to what is good or bad; a yield is neither. */
function BasisPointChange({ points }: { readonly points: number }) {
  return <small class="change">{formatSigned(points, 0)} bp</small>;
}

/** Nothing is said of maturities far from every quote. */
function isCoveredByFit({ from, to }: CurveFit, years: number): boolean {
  return years >= from * 0.8 && years <= to * 1.05;
}

/** What is further off than this is hardly paper of the same kind. */
const MAX_CURVE_DISTANCE = 0.2;

/** Of the quotes on the curve, or about it, the one with the nearest maturity. */
function findNearestQuote(quotes: readonly Quote[], { yieldAt }: CurveFit, years: number): string {
  const offCurve = ({ ytm, maturityYears }: Quote) => Math.abs(ytm - yieldAt(maturityYears));
  const distance = ({ maturityYears }: Quote) => Math.abs(maturityYears - years);
  const [nearest] = quotes
    .filter(
      (quote) => hasYield(quote) && GOVERNMENT.holds(quote) && offCurve(quote) < MAX_CURVE_DISTANCE,
    )
    .toSorted((a, b) => distance(a) - distance(b));
  return nearest ? `${nearest.symbol} ${formatNumber(nearest.ytm, 2)} %` : 'none';
}
