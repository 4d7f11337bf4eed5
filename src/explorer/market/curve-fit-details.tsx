import type { CurveRecord } from '../../../clients/typescript/src/generated.ts';
import { FactList, TruncatedList } from '../components/panel.tsx';
import { formatNumber } from '../formatting/numbers.ts';
import { Link } from '../routing/view-route.tsx';
import type { MarketCurves } from './yield-curves.ts';

const METHODS: Readonly<Record<string, string>> = {
  svensson: 'Svensson, to dirty prices',
  'nelson-siegel': 'Nelson–Siegel, to dirty prices',
  'nelson-siegel-yields':
    'Nelson–Siegel, to yields only: the terms of too few securities are known',
  'not-converged': 'No best discount function was found',
};

const PARAMETERS = [
  ['beta0', 'β0, level', '%'],
  ['beta1', 'β1, slope', '%'],
  ['beta2', 'β2, hump', '%'],
  ['beta3', 'β3, second hump', '%'],
  ['tau1', 'τ1, decay', 'years'],
  ['tau2', 'τ2, second decay', 'years'],
] as const;

/** How the curves were fitted, with which parameters, and what was left out; folded at first. */
export function CurveFitDetails({ curves }: { readonly curves: MarketCurves }) {
  return (
    <details class="fit">
      <summary>How the lines are fitted, and what they leave out</summary>
      <p class="description">
        The yield line is a Nelson–Siegel curve through all quoted yields of a market; floaters are
        left out, and outliers count less. Zero, par and forward rates come from one discount
        function, fitted to dirty prices. Zero and par rates are compounded twice a year, forward
        rates continuously. Nothing is drawn beyond the maturities quoted.
      </p>
      {Object.values(curves).map((curve) => curve?.method && <CurveFit {...curve} />)}
    </details>
  );
}

function CurveFit({ market, method, parameters, rmse, used, leftOut }: CurveRecord) {
  const createFact = (name: string, value: unknown, unit: string, decimals: number) =>
    typeof value === 'number' ? [{ name, value: `${formatNumber(value, decimals)} ${unit}` }] : [];
  return (
    <section aria-label={`Fit of the ${market} curve`}>
      <h3>{market === 'government' ? 'Government' : 'Corporate'}</h3>
      <FactList
        facts={[
          { name: 'Method', value: METHODS[method ?? ''] ?? method },
          { name: 'Securities used', value: formatNumber(used, 0) },
          ...createFact('Error (RMSE)', rmse, 'bp of yield', 2),
          ...PARAMETERS.flatMap(([key, name, unit]) =>
            createFact(name, parameters?.[key], unit, 4),
          ),
        ]}
      />
      <p>Left out: {leftOut.length === 0 ? 'nothing.' : formatNumber(leftOut.length, 0)}</p>
      <TruncatedList
        class="left-out"
        items={leftOut}
        initialCount={20}
        renderItem={({ symbol, reason }) => (
          <>
            <Link view="security" params={{ symbol }}>
              {symbol}
            </Link>
            , {reason}
          </>
        )}
      />
    </section>
  );
}
