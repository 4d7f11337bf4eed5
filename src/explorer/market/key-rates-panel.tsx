import type { ComponentChildren } from 'preact';
import type { CurveRecord } from '../../client/generated.ts';
import { createLookupTable } from '../../shared/lookup-table.ts';
import { Button } from '../components/button.tsx';
import {
  createColumn,
  createTextColumn,
  DataTable,
  type DataTableColumn,
} from '../components/data-table.tsx';
import { QueryView } from '../components/panel.tsx';
import { ExportPanel } from '../export/export-panel.tsx';
import { formatDayLabel, formatOtherDay } from '../formatting/dates.ts';
import { formatNumber, formatSigned, NO_VALUE } from '../formatting/numbers.ts';
import { updateParams } from '../routing/view-route.tsx';
import {
  describeKeyRate,
  getKeyRateChange,
  getKeyRateValue,
  KEY_RATES,
  type KeyRate,
  type ReferenceDay,
} from './key-rates.ts';
import {
  createKeyRatesRequest,
  type ReferenceCurves,
  useReferenceCurves,
} from './use-reference-curves.ts';
import { describeRate, type MarketCurves, type ShownRate } from './yield-curves.ts';

interface KeyRatesPanelProps {
  readonly day: string;
  readonly references: readonly ReferenceDay[];
  readonly rate: ShownRate;
  readonly chosenKey: string;
  readonly children?: ComponentChildren;
}

/** The rates at the key tenors and their slopes, and their changes since earlier days. */
export function KeyRatesPanel(props: KeyRatesPanelProps) {
  const { day, references, rate, chosenKey, children } = props;
  const query = useReferenceCurves(day, references);
  const { current, references: found = [] } = query.data ?? {};
  const rows = KEY_RATES.filter((row) => getKeyRateValue(current, row, rate) !== undefined);
  return (
    <ExportPanel
      title="Key tenors and slopes"
      class="key-rates narrow"
      exported={{
        request: createKeyRatesRequest([...new Set([day, ...found.map(({ date }) => date)])]),
        fileName: `key-tenors-${day}`,
        description: 'The government curve of these days, at these tenors',
      }}
      lead={`${describeRate(rate)} of government paper in percent, and changes in basis points (bp). Choose one to see it over time.`}
    >
      <QueryView query={query} subject="key tenors">
        {(curves) =>
          rows.length === 0 ? (
            <p class="help">There is no such curve of {formatDayLabel(day)}.</p>
          ) : (
            <DataTable
              caption={`${describeRate(rate)} of ${formatDayLabel(day)} at key tenors`}
              columns={createColumns(day, curves, rate, chosenKey)}
              rows={rows}
              getRowKey={({ key }) => key}
              isHighlighted={({ key }) => key === chosenKey}
            />
          )
        }
      </QueryView>
      {children}
    </ExportPanel>
  );
}

function createColumns(
  day: string,
  { current, references }: ReferenceCurves,
  rate: ShownRate,
  chosenKey: string,
): DataTableColumn<KeyRate>[] {
  const getValue = (row: KeyRate) => getKeyRateValue(current, row, rate);
  return [
    createTextColumn('tenor', 'Tenor', (row) => (
      <Button
        aria-pressed={row.key === chosenKey}
        title={describeKeyRate(row)}
        onClick={() => updateParams({ through: row.key })}
      >
        {row.key}
      </Button>
    )),
    createColumn('current', formatDayLabel(current?.date ?? day), (row) => (
      <b>{formatKeyRate(getValue(row), row)}</b>
    )),
    ...references.map(({ name, date, curve }) => ({
      name,
      title: name,
      unit: formatOtherDay(date, day),
      renderCell(row: KeyRate) {
        const earlier = getKeyRateValue(curve, row, rate);
        const change = getKeyRateChange(getValue(row), earlier, row);
        if (change === undefined) return <span class="muted">{NO_VALUE}</span>;
        return <span title={`from ${formatKeyRate(earlier, row)}`}>{formatSigned(change, 0)}</span>;
      },
    })),
  ];
}

/** `12.10`, in percent, or `+85 bp` for a slope. */
export function formatKeyRate(value: number | undefined, { shortTenor }: KeyRate): string {
  if (value === undefined) return NO_VALUE;
  return shortTenor === undefined ? formatNumber(value, 2) : `${formatSigned(value, 0)} bp`;
}

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
