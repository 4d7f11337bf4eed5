import { Swatch } from '../charts/legend.tsx';
import { DataTable, type DataTableColumn } from '../components/data-table.tsx';
import { Select } from '../components/select.tsx';
import { NumberCell } from '../components/table-cells.tsx';
import { ExportPanel } from '../export/export-panel.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { getUnit, NO_VALUE } from '../formatting/numbers.ts';
import { updateParams, useViewRoute } from '../routing/view-route.tsx';
import { OTHERS_KEY, type Palette } from '../series/breakdown-components.ts';
import { describeChange } from '../series/compute-changes.ts';
import {
  createFundRequest,
  type FundAllocationRecord,
  type FundPeriod,
  findPeriodIndex,
  findYearEarlierIndex,
  getShare,
} from './fund-record.ts';
import type { FundViewOptions } from './fund-series.ts';

interface SharesPanelProps {
  readonly record: FundAllocationRecord;
  readonly options: FundViewOptions;
  /** The fund to compare with; by default, the period is compared with the one a year earlier. */
  readonly otherRecord?: FundAllocationRecord;
}

/** The shares in one period, with those a year earlier or of another fund. */
export function SharesPanel({ record, otherRecord, options }: SharesPanelProps) {
  const { params } = useViewRoute();
  const { fund_id, periods } = record;
  const { entry, palette, nameFund } = options;
  const selected = Math.max(0, params.period ? findPeriodIndex(periods, params.period) : 0);
  const day = periods[selected]?.date ?? '';
  const title = otherRecord ? 'Fund comparison' : 'Shares';
  const one = { record, index: selected, title: otherRecord ? nameFund(fund_id) : 'Share' };
  const other = otherRecord
    ? {
        record: otherRecord,
        index: findPeriodIndex(otherRecord.periods, day),
        title: nameFund(otherRecord.fund_id),
      }
    : { record, index: findYearEarlierIndex(periods, selected), title: 'A year before' };
  const rows = [...record.rows, ...(otherRecord?.rows ?? [])];
  return (
    <ExportPanel
      title={title}
      class="text-table narrow"
      tools={renderPeriodSelect(periods, selected)}
      exported={
        otherRecord
          ? {}
          : { request: createFundRequest(entry, fund_id), fileName: `fund-${fund_id}` }
      }
    >
      <DataTable
        caption={`${title}, class by class`}
        columns={[createClassColumn(palette), ...createShareColumns([one, other], options)]}
        rows={[...new Set(rows.map(({ label }) => label))]}
        getRowKey={(label) => label}
      />
    </ExportPanel>
  );
}

function renderPeriodSelect(periods: readonly FundPeriod[], selected: number) {
  return (
    <Select
      label="Period"
      labelClass="row"
      options={periods.map(({ label, date }) => ({ key: date, text: label }))}
      value={periods[selected]?.date ?? ''}
      onChange={(date) => updateParams({ period: date === periods[0]?.date ? undefined : date })}
    />
  );
}

/** The shares of a fund in a period; the index is -1 if the fund has no such period. */
interface FundShares {
  readonly record: FundAllocationRecord;
  readonly index: number;
  readonly title: string;
}

/** Two columns of shares, and the difference between them. */
function createShareColumns(
  [one, other]: readonly [FundShares, FundShares],
  { unitInfo }: FundViewOptions,
): DataTableColumn<string>[] {
  const findShare = ({ record, index }: FundShares, label: string) =>
    getShare(record, label, index);
  const isSameFund = one.record === other.record;
  const columns = [one, other].map((shares) => {
    const { record, index, title } = shares;
    const period = record.periods[index];
    return {
      title,
      hint: period && `to ${formatDayLabel(period.date)}`,
      name: isSameFund ? title : record.fund_id,
      unit: period ? `${getUnit(unitInfo)}, ${period.label}` : 'nothing was published',
      renderCell(label: string) {
        const isInFund = record.rows.some((row) => row.label === label);
        if (!isInFund) return <span class="muted">not in this fund</span>;
        return <NumberCell value={findShare(shares, label)} unitInfo={unitInfo} />;
      },
    };
  });
  return [
    ...columns,
    // Uncoloured, because a smaller share is neither good nor bad.
    {
      name: 'change',
      title: isSameFund ? 'Change' : 'Difference',
      ...(!isSameFund && { unit: `${one.title} less ${other.title}` }),
      renderCell: (label) =>
        describeChange(findShare(one, label), findShare(other, label), unitInfo)?.text ?? NO_VALUE,
    },
  ];
}

function createClassColumn({ components, smallest }: Palette): DataTableColumn<string> {
  const renderCell = (label: string) => {
    const isSmallest = smallest.some(({ key }) => key === label);
    const component = components.find(({ key }) => key === (isSmallest ? OTHERS_KEY : label));
    return (
      <span class={`class-label color-${component?.colorIndex}`}>
        <Swatch colorIndex={component?.colorIndex} />
        {label}
      </span>
    );
  };
  return { name: 'class', title: 'Class', isText: true, renderCell };
}
