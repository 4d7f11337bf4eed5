import { useMemo, useRef } from 'preact/hooks';
import { parseHidden, toggleHidden } from '../breakdown/hidden-components.ts';
import { Legend } from '../charts/legend.tsx';
import { LineChart } from '../charts/line-chart.tsx';
import { createDayTicks } from '../charts/ticks.ts';
import { Panel } from '../components/panel.tsx';
import { EmptyState } from '../components/query-view.tsx';
import { buildCorrectionNotes, findCorrectedIndexes } from '../corrections/correction-notes.ts';
import { ExportMenu } from '../export/export-menu.tsx';
import { formatCompact, formatWithUnit, getUnit } from '../formatting/numbers.ts';
import { updateParams, useViewRoute } from '../routing/view-route.ts';
import type { FundAllocation } from './allocation.ts';
import type { FundViewOptions } from './fund-detail.tsx';
import { createFundRequest } from './fund-record.ts';
import type { FundData } from './use-fund-data.ts';

export interface FundPanelProps {
  readonly title: string;
  readonly fund: FundData;
  readonly options: FundViewOptions;
}

/** A fund's classes over time, one upon the other. */
export function AllocationPanel({ title, fund, options }: FundPanelProps) {
  const { params } = useViewRoute();
  const picture = useRef<HTMLDivElement>(null);
  const { record, allocation } = fund;
  const { entry, palette, shortenId } = options;
  const hidden = useMemo(() => parseHidden(params.hide), [params.hide]);
  const { fund_id } = record;
  return (
    <Panel
      title={title}
      lead="Classes stand one upon the other, each with its share of the fund’s assets."
      tools={
        <ExportMenu
          request={createFundRequest(entry, fund_id)}
          fileName={`fund-${fund_id}`}
          title={`Fund ${shortenId(fund_id)}, ${entry.title.toLowerCase()}`}
          chartRef={picture}
        />
      }
    >
      <div ref={picture}>
        <Legend
          items={allocation.parts.map(({ key, title: name, colorIndex }) => ({
            key,
            name,
            colorIndex,
          }))}
          hidden={hidden}
          onToggle={(key) => updateParams({ hide: toggleHidden(hidden, key) })}
        />
        <AllocationChart fund={fund} options={options} hidden={hidden} />
      </div>
      {palette.rest.length > 0 && (
        <p class="help">
          More classes than colours: the smallest are drawn together, which are{' '}
          {palette.rest.map(({ title: name }) => name).join(', ')}.
        </p>
      )}
    </Panel>
  );
}

interface AllocationChartProps extends Pick<FundPanelProps, 'fund' | 'options'> {
  readonly hidden: ReadonlySet<string>;
}

function AllocationChart({ fund, options: { shortenId, unitInfo }, hidden }: AllocationChartProps) {
  const { allocation, amendments: corrections, record } = fund;
  const { xs, periods, parts: components } = allocation;
  const dates = useMemo(() => periods.map((period) => period?.date ?? ''), [periods]);
  const lines = useMemo(
    () =>
      components
        .filter(({ key }) => !hidden.has(key))
        .map(({ key, title, colorIndex, values }) => {
          return {
            name: title,
            colorIndex,
            values,
            marks: findCorrectedIndexes(corrections, dates, key),
          };
        }),
    [components, hidden, corrections, dates],
  );
  const pointNotes = useMemo(() => buildCorrectionNotes(corrections, dates), [corrections, dates]);
  const between = useMemo(() => computeShareDomain(allocation), [allocation]);
  const format = useMemo(() => (value: number) => formatWithUnit(value, unitInfo), [unitInfo]);
  if (lines.length === 0) {
    return (
      <EmptyState title="Everything is hidden">Press a name above to show it again.</EmptyState>
    );
  }
  return (
    <figure class="chart-figure" data-heading={getUnit(unitInfo)}>
      <figcaption class="muted">{getUnit(unitInfo)}</figcaption>
      <LineChart
        label={`Allocation of fund ${shortenId(record.fund_id)}, ${getUnit(unitInfo)}`}
        xs={xs}
        lines={lines}
        // An area needs two ends.
        layout={record.periods.length > 1 ? 'stacked' : 'columns'}
        yDomain={between}
        ticks={createDayTicks}
        formatAxis={formatCompact}
        format={format}
        getPointLabel={(index) => periods[index]?.label ?? 'No period'}
        pointNotes={pointNotes}
        height={360}
      />
    </figure>
  );
}

/** From 0 to 100, and further where the shares go further. */
function computeShareDomain({ xs, parts: components }: FundAllocation): readonly [number, number] {
  const sums = xs.map((_, index) => {
    const values = components.map(({ values }) => values[index] ?? 0);
    const sumOf = (those: number[]) => those.reduce((sum, value) => sum + value, 0);
    return [
      sumOf(values.filter((value) => value < 0)),
      sumOf(values.filter((value) => value > 0)),
    ] as const;
  });
  const high = Math.max(...sums.map(([, above]) => above));
  // Rounded shares may add up to a little more.
  return [Math.min(0, ...sums.map(([below]) => below)), high > 101 ? high : 100];
}
