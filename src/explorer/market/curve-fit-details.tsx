import type { CurveRecord } from '../../../clients/typescript/src/generated.ts';
import { FactList } from '../components/panel.tsx';
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
  const fits = Object.values(curves).filter((curve) => curve?.method);
  return (
    <details class="fit">
      <summary>How the lines are fitted, and what they leave out</summary>
      <p class="description">
        The yield line is a Nelson–Siegel curve through all quoted yields of a market; floaters are
        left out, and outliers count less. Zero, par and forward rates come from one discount
        function, fitted to dirty prices. Zero and par rates are compounded twice a year, forward
        rates continuously. Nothing is drawn beyond the maturities quoted.
      </p>
      {fits.map((curve) => (
        <CurveFit key={curve.market} curve={curve} />
      ))}
    </details>
  );
}

function CurveFit({ curve }: { readonly curve: CurveRecord }) {
  const { market, method, parameters, rmse, used, leftOut } = curve;
  const values = PARAMETERS.flatMap(([name, label, unit]) => {
    const value = parameters?.[name];
    return typeof value === 'number'
      ? [{ name: label, value: `${formatNumber(value, 4)} ${unit}` }]
      : [];
  });
  return (
    <section aria-label={`Fit of the ${market} curve`}>
      <h3>{market === 'government' ? 'Government' : 'Corporate'}</h3>
      <FactList
        facts={[
          { name: 'Method', value: METHODS[method ?? ''] ?? method },
          { name: 'Securities used', value: String(used) },
          ...(rmse === null
            ? []
            : [{ name: 'Error (RMSE)', value: `${formatNumber(rmse, 2)} bp of yield` }]),
          ...values,
        ]}
      />
      <LeftOutList leftOut={leftOut} />
    </section>
  );
}

function LeftOutList({ leftOut }: Pick<CurveRecord, 'leftOut'>) {
  if (leftOut.length === 0) return <p class="help">Nothing was left out.</p>;
  const reasons = [...Map.groupBy(leftOut, ({ reason }) => reason)];
  return (
    <ul class="left-out">
      {reasons.map(([reason, securities]) => (
        <li key={reason}>
          Left out, {reason} ({securities.length}):{' '}
          {securities.slice(0, MAX_LISTED).map(({ symbol }, index) => (
            <>
              {index > 0 && ', '}
              <Link key={symbol} view="security" params={{ symbol }}>
                {symbol}
              </Link>
            </>
          ))}
          {securities.length > MAX_LISTED && ` and ${securities.length - MAX_LISTED} more`}
        </li>
      ))}
    </ul>
  );
}

const MAX_LISTED = 30;
