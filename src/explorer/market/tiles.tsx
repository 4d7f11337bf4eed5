import { dayWords } from '../figures/days.ts';
import { grouped, signed } from '../figures/figures.ts';
import { hasYield, type Quote } from '../quotes/quote.ts';
import { fitOf, GROUPS, TENORS } from './curves.ts';
import type { Fit } from './fit.ts';
import type { DayBefore } from './use-day.ts';

interface TilesProps {
  readonly quotes: readonly Quote[];
  readonly before: DayBefore | undefined;
}

const [GOVERNMENT] = GROUPS;
const SHOWN = new Set([0.25, 0.5, 1, 3, 5, 10]);

/** What the government's curve says of the maturities that people ask for. */
export function Tiles({ quotes, before }: TilesProps) {
  const now = fitOf(quotes, GOVERNMENT);
  const then = before && fitOf(before.quotes, GOVERNMENT);
  if (!now) return null;
  const tenors = TENORS.filter(({ years }) => SHOWN.has(years) && isWithin(now, years));
  return (
    <section class="tenors" aria-label="Government yields">
      <h2>
        Government yields{' '}
        <span class="quiet">
          on the fitted curve
          {then && before && `, and how they changed since ${dayWords(before.date)}`}
        </span>
      </h2>
      <div class="tiles">
        {tenors.map(({ years, text }) => (
          <div key={years} class="tile">
            <span>{text}</span>
            <b>{grouped(now.at(years), 2)} %</b>
            {then && isWithin(then, years) && (
              <Change points={(now.at(years) - then.at(years)) * 100} />
            )}
            <small class="nearest">Nearest on it: {nearestTo(quotes, now, years)}</small>
          </div>
        ))}
      </div>
    </section>
  );
}

/** Basis points. Green and red are left to what is good or bad; a yield is neither. */
function Change({ points }: { readonly points: number }) {
  return <small class="change">{signed(points, 0)} bp</small>;
}

/** Nothing is said of maturities far from every quote. */
function isWithin({ from, to }: Fit, years: number): boolean {
  return years >= from * 0.8 && years <= to * 1.05;
}

/** What is further off than this is hardly paper of the same kind. */
const OFF_CURVE = 0.2;

/** Of the quotes on the curve, or about it, the one with the nearest maturity. */
function nearestTo(quotes: readonly Quote[], { at }: Fit, years: number): string {
  const offCurve = ({ ytm, maturityYears }: Quote) => Math.abs(ytm - at(maturityYears));
  const distance = ({ maturityYears }: Quote) => Math.abs(maturityYears - years);
  const [nearest] = quotes
    .filter((quote) => hasYield(quote) && GOVERNMENT.holds(quote) && offCurve(quote) < OFF_CURVE)
    .toSorted((a, b) => distance(a) - distance(b));
  return nearest ? `${nearest.symbol} ${grouped(nearest.ytm, 2)} %` : 'none';
}
