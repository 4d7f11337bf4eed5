import type { DatasetEntry } from '../api/types.ts';
import {
  computePercentDomain,
  type Palette,
  parseHidden,
} from '../breakdown/breakdown-components.ts';
import {
  AllHiddenState,
  ComponentLegend,
  SharedColorNote,
} from '../breakdown/component-legend.tsx';
import { LineChart } from '../charts/line-chart.tsx';
import { createDayTicks } from '../charts/ticks.ts';
import { Panel } from '../components/panel.tsx';
import { useCorrections } from '../corrections/corrections-panel.tsx';
import { buildCorrectionNotes, findCorrectedIndexes } from '../corrections/revision-corrections.ts';
import { formatWithUnit, getUnit, type UnitInfo } from '../formatting/numbers.ts';
import { useViewRoute } from '../routing/view-route.tsx';
import { buildAllocation, type TimeSpan } from './build-allocation.ts';
import { createFundExport, type FundAllocationRecord, formatFundTitle } from './fund-record.ts';

export function AllocationPanel({ title, fund }: FundPanelProps) {
  const { entry, record, allocation, palette, nameFund } = fund;
  const { fund_id } = record;
  const hidden = parseHidden(useViewRoute().params.hide);
  const chartTitle = `${formatFundTitle(nameFund(fund_id))}, ${entry.title.toLowerCase()}`;
  return (
    <Panel
      title={title}
      exported={{ ...createFundExport(entry, fund_id), chart: { title: chartTitle } }}
    >
      <div>
        <ComponentLegend components={allocation.components} hidden={hidden} />
        {renderChart(fund, hidden)}
      </div>
      <SharedColorNote smallest={palette.smallest} />
    </Panel>
  );
}

function renderChart(fund: FundPanelProps['fund'], hidden: ReadonlySet<string>) {
  const { record, nameFund, unitInfo } = fund;
  const { corrections } = fund.correctionsQuery;
  const { xs, periods, components } = fund.allocation;
  const dates = periods.map((period) => period?.date ?? '');
  const visible = components.filter(({ key }) => !hidden.has(key));
  if (visible.length === 0) return <AllHiddenState />;
  return (
    <figure class="chart-figure">
      <LineChart
        label={`Allocation of ${formatFundTitle(nameFund(record.fund_id))}, ${getUnit(unitInfo)}`}
        lines={visible.map(({ key, title, colorIndex, values }) => {
          const marks = findCorrectedIndexes(corrections, dates, key);
          return { name: title, colorIndex, values, marks };
        })}
        yDomain={computePercentDomain(components.map(({ values }) => values))}
        pointNotes={buildCorrectionNotes(corrections, dates)}
        format={(value) => formatWithUnit(value, unitInfo)}
        yTitle={`${getUnit(unitInfo)} of assets`}
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

/** How funds are shown: two that are compared share it. */
export interface FundViewOptions {
  readonly entry: DatasetEntry;
  readonly nameFund: (id: string) => string;
  readonly unitInfo: UnitInfo;
  readonly palette: Palette;
  /** The span of the chart where two funds are compared. */
  readonly span: TimeSpan | undefined;
}

export interface FundPanelProps {
  readonly title: string;
  readonly fund: ReturnType<typeof useFundData>;
}

/** A fund with everything that its panels show. */
export function useFundData(record: FundAllocationRecord, options: FundViewOptions) {
  const { entry, palette, unitInfo, span } = options;
  const correctionsQuery = useCorrections(entry, { fund_id: record.fund_id });
  const allocation = buildAllocation(record, { palette, unitInfo, span });
  return { ...options, record, allocation, correctionsQuery };
}
