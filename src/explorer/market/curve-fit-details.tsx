import type { CurveRecord } from '../../client/generated.ts';
import { createLookupTable } from '../../shared/lookup-table.ts';
import { formatNumber } from '../formatting/numbers.ts';
import type { MarketCurves } from './yield-curves.ts';

const METHODS: Readonly<Record<string, string>> = createLookupTable({
  svensson: 'Svensson, to dirty prices',
  'nelson-siegel': 'Nelson–Siegel, to dirty prices',
  'nelson-siegel-yields':
    'Nelson–Siegel, to yields only: the terms of too few securities are known',
  'not-converged': 'no best discount function was found',
});

/** How the curves were fitted, how well, and to how many securities; initially folded. */
export function CurveFitDetails({ curves }: { readonly curves: MarketCurves }) {
  return (
    <details class="fit">
      <summary>How the lines are fitted, and what they leave out</summary>
      <p class="description">
        The yield line is a Nelson–Siegel curve through all quoted yields of a market; floaters are
        left out, and outliers count less. Zero, par and forward rates come from one discount
        function, fitted to dirty prices. <a href="docs">The documentation</a> has the conventions.
      </p>
      {Object.values(curves).map((curve) => curve?.method && <p>{describeFit(curve)}</p>)}
    </details>
  );
}

function describeFit({ market, method, rmse, used, leftOut }: CurveRecord): string {
  const fit = [
    METHODS[method ?? ''] ?? method,
    `${formatNumber(used, 0)} securities used, ${formatNumber(leftOut.length, 0)} left out`,
    ...(rmse === null ? [] : [`error (RMSE) ${formatNumber(rmse, 2)} bp of yield`]),
  ];
  return `${market === 'government' ? 'Government' : 'Corporate'}: ${fit.join('; ')}.`;
}
