import { useMemo } from 'preact/hooks';
import { PERIOD_TRAITS } from '../../catalogue/model/period-unit.ts';
import type { CurveRecord } from '../../client/generated.ts';
import { KEEP_PREVIOUS, useQuery } from '../api/use-query.ts';
import { LineChart } from '../charts/line-chart.tsx';
import { createDayTicks } from '../charts/ticks.ts';
import { QueryView } from '../components/panel.tsx';
import { RangePicker } from '../components/range-picker.tsx';
import { ExportPanel } from '../export/export-panel.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { formatSigned } from '../formatting/numbers.ts';
import { updateParams, useViewRoute, ViewLink } from '../routing/view-route.tsx';
import {
  chooseHistoryDays,
  describeKeyRate,
  getHistoryStart,
  getKeyRateChange,
  getKeyRateValue,
  HISTORY_RANGES,
  type HistoryDays,
  type HistoryRange,
  type KeyRate,
} from './key-rates.ts';
import { formatKeyRate } from './key-rates-panel.tsx';
import { createHistoryRequest, sortCurves } from './use-reference-curves.ts';
import { describeRate, type ShownRate } from './yield-curves.ts';

interface RateHistoryPanelProps {
  readonly keyRate: KeyRate;
  readonly rate: ShownRate;
  readonly range: HistoryRange;
  readonly first: string;
  readonly day: string;
}

/** A rate or a slope of the government curve over time. */
export function RateHistoryPanel({ keyRate, rate, range, first, day }: RateHistoryPanelProps) {
  const days = chooseHistoryDays(getHistoryStart(day, range, first), day);
  const request = createHistoryRequest(days);
  const query = useQuery<readonly CurveRecord[]>(request, KEEP_PREVIOUS);
  const title = `${keyRate.key} through time`;
  return (
    <ExportPanel
      title={title}
      class="rate-history"
      tools={
        <>
          {keyRate.shortTenor === undefined && (
            <ViewLink view="payments" params={{ compare: `curve~${rate}(tenor=${keyRate.tenor})` }}>
              Compare
            </ViewLink>
          )}
          <RangePicker options={HISTORY_RANGES} value={range} usual="year" param="since" />
        </>
      }
      exported={{
        request,
        fileName: `${keyRate.key}-${day}`,
        chart: { title: `${title}: ${describeRate(rate)}, ${describeKeyRate(keyRate)}` },
      }}
    >
      <QueryView query={query} subject="the history">
        {(curves) => (
          <div>
            <RateHistoryChart keyRate={keyRate} rate={rate} curves={curves} every={days.every} />
          </div>
        )}
      </QueryView>
    </ExportPanel>
  );
}

interface RateHistoryChartProps extends Pick<RateHistoryPanelProps, 'keyRate' | 'rate'> {
  readonly curves: readonly CurveRecord[];
  /** The interval between curves, if the sentence above the chart should name it. */
  readonly every?: HistoryDays['every'];
}

export function RateHistoryChart({ keyRate, rate, curves, every }: RateHistoryChartProps) {
  const { params } = useViewRoute();
  const { days, xs, values, lines } = useMemo(
    () => buildHistory(keyRate, rate, curves, params),
    [keyRate, rate, curves, params.from, params.to],
  );
  if (days.length === 0)
    return <p class="help">The curves of this range do not reach {keyRate.tenor}.</p>;
  const [start, end] = [values[0], values.at(-1)];
  const change = getKeyRateChange(end, start, keyRate);
  const unit = keyRate.shortTenor === undefined ? '%' : 'bp';
  const format = (value: number) => formatKeyRate(value, keyRate) + (unit === '%' ? ' %' : '');
  return (
    <>
      <p class="description">
        {describeRate(rate)}, {describeKeyRate(keyRate)}: <b>{format(end ?? 0)}</b> on{' '}
        {formatDayLabel(days.at(-1) ?? '')},{' '}
        <b>{change === undefined ? '' : `${formatSigned(change, 0)} bp`}</b> since{' '}
        {formatDayLabel(days[0] ?? '')}
        {every && `; ${PERIOD_TRAITS[every].name}`}.
      </p>
      <LineChart
        label={`${describeKeyRate(keyRate)} through time, ${unit}`}
        xs={xs}
        labels={days}
        unit={unit}
        lines={lines}
        format={format}
        layout="lines"
        height={360}
        ticks={createDayTicks}
        yTitle={unit === '%' ? `${describeRate(rate)}, %` : 'Basis points'}
        getPointLabel={(index) => formatDayLabel(days[index] ?? '')}
        onRangeSelect={(from, to) => updateParams({ from: days[from], to: days[to] })}
      />
    </>
  );
}

function buildHistory(
  keyRate: KeyRate,
  rate: ShownRate,
  curves: readonly CurveRecord[],
  { from = '', to = '9999' }: Readonly<Record<string, string>>,
) {
  const points = sortCurves(curves).flatMap((curve) => {
    const value = getKeyRateValue(curve, keyRate, rate);
    const isShown = from <= curve.date && curve.date <= to;
    return value === undefined || !isShown ? [] : [{ date: curve.date, value }];
  });
  const days = points.map(({ date }) => date);
  const values = points.map(({ value }) => value);
  const lines = [{ name: keyRate.key, colorIndex: 1, values }];
  return { days, xs: days.map((day) => Date.parse(day)), values, lines };
}
