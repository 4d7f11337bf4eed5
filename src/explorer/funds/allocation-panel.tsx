import { useRef } from 'preact/hooks';
import { computePercentDomain } from '../breakdown/component.ts';
import {
  AllHiddenState,
  ComponentLegend,
  SharedColorNote,
  useHiddenComponents,
} from '../breakdown/component-legend.tsx';
import { LineChart } from '../charts/line-chart.tsx';
import { createDayTicks } from '../charts/ticks.ts';
import { Panel } from '../components/panel.tsx';
import { buildCorrectionNotes, findCorrectedIndexes } from '../corrections/revision-corrections.ts';
import { ExportMenu } from '../export/export-menu.tsx';
import { formatWithUnit, getUnit } from '../formatting/numbers.ts';
import { createFundRequest } from './fund-record.ts';
import type { FundPanelProps } from './use-fund-data.ts';

export function AllocationPanel({ title, fund }: FundPanelProps) {
  const chartRef = useRef<HTMLDivElement>(null);
  const { entry, record, allocation, palette, shortenId } = fund;
  const { fund_id } = record;
  const hidden = useHiddenComponents();
  const chartTitle = `Fund ${shortenId(fund_id)}, ${entry.title.toLowerCase()}`;
  return (
    <Panel
      title={title}
      lead="Asset classes are stacked, each with its share of the fund’s assets."
      tools={
        <ExportMenu
          request={createFundRequest(entry, fund_id)}
          fileName={`fund-${fund_id}`}
          chart={{ ref: chartRef, title: chartTitle }}
        />
      }
    >
      <div ref={chartRef}>
        <ComponentLegend components={allocation.components} hidden={hidden} />
        {renderChart(fund, hidden)}
      </div>
      <SharedColorNote smallest={palette.smallest} />
    </Panel>
  );
}

function renderChart(fund: FundPanelProps['fund'], hidden: ReadonlySet<string>) {
  const { record, shortenId, unitInfo } = fund;
  const { corrections } = fund.correctionsQuery;
  const { xs, periods, components } = fund.allocation;
  const dates = periods.map((period) => period?.date ?? '');
  const visible = components.filter(({ key }) => !hidden.has(key));
  if (visible.length === 0) return <AllHiddenState />;
  return (
    <figure class="chart-figure" data-heading={getUnit(unitInfo)}>
      <figcaption class="muted">{getUnit(unitInfo)}</figcaption>
      <LineChart
        label={`Allocation of fund ${shortenId(record.fund_id)}, ${getUnit(unitInfo)}`}
        lines={visible.map(({ key, title, colorIndex, values }) => {
          const marks = findCorrectedIndexes(corrections, dates, key);
          return { name: title, colorIndex, values, marks };
        })}
        yDomain={computePercentDomain(components.map(({ values }) => values))}
        pointNotes={buildCorrectionNotes(corrections, dates)}
        format={(value) => formatWithUnit(value, unitInfo)}
        xs={xs}
        // An area needs at least two periods.
        layout={record.periods.length > 1 ? 'stacked' : 'columns'}
        ticks={createDayTicks}
        getPointLabel={(index) => periods[index]?.label ?? 'No period'}
        height={360}
      />
    </figure>
  );
}
