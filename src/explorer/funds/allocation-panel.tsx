import type { DatasetEntry } from '../api/types.ts';
import { LineChart } from '../charts/line-chart.tsx';
import { createDayTicks } from '../charts/ticks.ts';
import { Panel } from '../components/panel.tsx';
import { useCorrections } from '../corrections/corrections-panel.tsx';
import { buildCorrectionNotes, findCorrectedIndexes } from '../corrections/revision-corrections.ts';
import { formatWithUnit, getUnit, type UnitInfo } from '../formatting/numbers.ts';
import { useViewRoute } from '../routing/view-route.tsx';
import { computePercentDomain, type Palette, parseHidden } from '../series/breakdown-components.ts';
import { AllHiddenState, ComponentLegend, SharedColorNote } from '../series/component-legend.tsx';
import { buildAllocation, type TimeSpan } from './build-allocation.ts';
import { createFundExport, type FundAllocationRecord } from './fund-record.ts';

export function AllocationPanel({ title, ...fund }: FundProps & { readonly title: string }) {
  const { record, options } = fund;
  const { entry, palette, nameFund, unitInfo } = options;
  const hidden = parseHidden(useViewRoute().params.hide);
  const { corrections } = useFundCorrections(fund);
  const { xs, periods, components } = buildAllocation(record, options);
  const dates = periods.map((period) => period?.date ?? '');
  const visible = components.filter(({ key }) => !hidden.has(key));
  const fundName = nameFund(record.fund_id);
  const chart = { title: `${fundName}, ${entry.title.toLowerCase()}` };
  return (
    <Panel title={title} exported={{ ...createFundExport(entry, record.fund_id), chart }}>
      <div>
        <ComponentLegend components={components} hidden={hidden} />
        {visible.length === 0 ? (
          <AllHiddenState />
        ) : (
          <figure class="chart-figure">
            <LineChart
              label={`Allocation of ${fundName}, ${getUnit(unitInfo)}`}
              lines={visible.map(({ key, title: name, colorIndex, values }) => {
                const marks = findCorrectedIndexes(corrections, dates, key);
                return { name, colorIndex, values, marks };
              })}
              yDomain={computePercentDomain(components.map(({ values }) => values))}
              pointNotes={buildCorrectionNotes(corrections, dates)}
              format={(value) => formatWithUnit(value, unitInfo)}
              yTitle={`${getUnit(unitInfo)} of assets`}
              xs={xs}
              labels={periods.map((period) => period?.label ?? '')}
              unit={getUnit(unitInfo)}
              // An area needs at least two periods.
              layout={periods.filter(Boolean).length > 1 ? 'stacked' : 'columns'}
              ticks={createDayTicks}
              getPointLabel={(index) => periods[index]?.label ?? 'No period'}
              height={360}
            />
          </figure>
        )}
      </div>
      <SharedColorNote smallest={palette.smallest} />
    </Panel>
  );
}

/** How funds are shown; shared by two compared funds. */
export interface FundViewOptions {
  readonly entry: DatasetEntry;
  readonly nameFund: (id: string) => string;
  readonly unitInfo: UnitInfo;
  readonly palette: Palette;
  /** The common span of the charts of two compared funds. */
  readonly span: TimeSpan | undefined;
}

export interface FundProps {
  readonly record: FundAllocationRecord;
  readonly options: FundViewOptions;
}

export function useFundCorrections({ record, options }: FundProps) {
  return useCorrections(options.entry, { fund_id: record.fund_id });
}
