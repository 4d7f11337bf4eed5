import { OTHERS_KEY, type Palette } from '../breakdown/breakdown-components.ts';
import { describeChange } from '../breakdown/compute-changes.ts';
import { Swatch } from '../charts/swatch.tsx';
import { createTextColumn, DataTable, type TableColumn } from '../components/data-table.tsx';
import { Panel } from '../components/panel.tsx';
import { Select } from '../components/select.tsx';
import { NumberCell } from '../components/table-cells.tsx';
import { type CorrectionList, findLastCorrection } from '../corrections/revision-corrections.ts';
import { formatDayLabel } from '../formatting/dates.ts';
import { getUnit, NO_VALUE } from '../formatting/numbers.ts';
import { updateParams, useViewRoute } from '../routing/view-route.tsx';
import { type FundProps, type FundViewOptions, useFundCorrections } from './allocation-panel.tsx';
import {
  createFundExport,
  type FundAllocationRecord,
  type FundPeriod,
  findPeriodIndex,
  findYearEarlierIndex,
  formatFundTitle,
  getShare,
} from './fund-record.ts';

interface SharesPanelProps extends FundProps {
  /** The fund to compare with; without one, the period is compared with the one a year before. */
  readonly otherRecord?: FundAllocationRecord;
}

/** The shares in one period, with those of a year before or of another fund. */
export function SharesPanel({ record, otherRecord, options }: SharesPanelProps) {
  const { params } = useViewRoute();
  const { fund_id, periods } = record;
  const selected = Math.max(0, params.period ? findPeriodIndex(periods, params.period) : 0);
  const rows = [...record.rows, ...(otherRecord?.rows ?? [])];
  const labels = [...new Set(rows.map(({ label }) => label))];
  const columns = otherRecord
    ? createFundComparison([record, otherRecord], selected, options)
    : createYearComparison(record, selected, options);
  const title = otherRecord ? 'Fund comparison' : 'Shares';
  return (
    <Panel
      title={title}
      class="text-table narrow"
      tools={renderPeriodSelect(periods, selected)}
      exported={otherRecord ? {} : createFundExport(options.entry, fund_id)}
    >
      <DataTable
        caption={`${title}, class by class`}
        columns={columns}
        rows={labels}
        getRowKey={(label) => label}
      />
    </Panel>
  );
}

function renderPeriodSelect(periods: readonly FundPeriod[], selected: number) {
  const yearEarlier = findYearEarlierIndex(periods, 0);
  return (
    <Select
      label="Period"
      labelClass="row"
      options={periods.map(({ label, date }, index) => {
        const note = index === 0 ? ' (newest)' : index === yearEarlier ? ' (a year before)' : '';
        return { key: date, text: label + note };
      })}
      value={periods[selected]?.date ?? ''}
      onChange={(date) => updateParams({ period: date === periods[0]?.date ? undefined : date })}
    />
  );
}

/** The shares of a fund in a period; the index is -1 where the fund has no such period. */
interface ShareColumn extends Pick<TableColumn<string>, 'name' | 'title' | 'hint' | 'unit'> {
  readonly record: FundAllocationRecord;
  readonly index: number;
}

function createYearComparison(
  record: FundAllocationRecord,
  selected: number,
  options: FundViewOptions,
): TableColumn<string>[] {
  const { periods } = record;
  const unit = getUnit(options.unitInfo);
  const index = findYearEarlierIndex(periods, selected);
  const earlier = {
    record,
    index,
    name: 'before',
    title: periods[index]?.label ?? 'A year before',
    unit: periods[index] ? `${unit}, a year before` : 'nothing was published',
  };
  const title = periods[selected]?.label ?? '';
  const later = { record, index: selected, name: 'chosen', title, unit };
  const change = { name: 'change', title: 'Change', later, earlier };
  return createComparisonColumns([later, earlier], change, options);
}

function createFundComparison(
  [record, otherRecord]: readonly [FundAllocationRecord, FundAllocationRecord],
  selected: number,
  options: FundViewOptions,
): TableColumn<string>[] {
  const { nameFund } = options;
  const createColumn = (fund: FundAllocationRecord, index: number): ShareColumn => {
    const { fund_id: name, periods } = fund;
    const period = periods[index];
    const unit = period
      ? `%, ${period.label}, to ${formatDayLabel(period.date)}`
      : 'nothing was published by then';
    return { record: fund, index, name, title: nameFund(name), hint: name, unit };
  };
  const day = record.periods[selected]?.date ?? '';
  const earlier = createColumn(record, selected);
  const later = createColumn(otherRecord, findPeriodIndex(otherRecord.periods, day));
  const unit = `${later.title} less ${earlier.title}`;
  const change = { name: 'difference', title: 'Difference', unit, later, earlier };
  return createComparisonColumns([earlier, later], change, options);
}

type ChangeColumn = Pick<TableColumn<string>, 'name' | 'title' | 'unit'>;

function createComparisonColumns(
  shares: readonly ShareColumn[],
  { later, earlier, ...changeColumn }: ChangeColumn & Record<'later' | 'earlier', ShareColumn>,
  { palette, unitInfo }: FundViewOptions,
): TableColumn<string>[] {
  const describeShares = (label: string) => {
    const [to, from] = [later, earlier].map((each) => getShare(each.record, label, each.index));
    return describeChange(to, from, unitInfo);
  };
  return [
    createClassColumn(palette),
    ...shares.map(({ record, index, ...column }) => ({
      ...column,
      renderCell(label: string) {
        const isInFund = record.rows.some((row) => row.label === label);
        if (!isInFund) return <span class="muted">not in this fund</span>;
        return <NumberCell value={getShare(record, label, index)} unitInfo={unitInfo} />;
      },
    })),
    {
      ...changeColumn,
      // Without a colour: a smaller share is neither good nor bad.
      renderCell: (label) => describeShares(label)?.text ?? NO_VALUE,
    },
  ];
}

function createClassColumn({ components, smallest }: Palette): TableColumn<string> {
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

/** Every period with its shares, newest first. */
export function PeriodsPanel(fund: FundProps) {
  const { record, options } = fund;
  const { fund_id } = record;
  const { corrections } = useFundCorrections(fund);
  return (
    <Panel
      title="Every period"
      class="text-table narrow"
      exported={createFundExport(options.entry, fund_id)}
    >
      <DataTable
        caption={`${formatFundTitle(options.nameFund(fund_id))}: shares in every period`}
        columns={createPeriodColumns(fund, corrections)}
        rows={[...record.periods.keys()]}
        getRowKey={(index) => record.periods[index]?.date ?? ''}
      />
    </Panel>
  );
}

/** A row is an index of the periods. */
function createPeriodColumns(
  { record: { periods, rows }, options: { unitInfo } }: FundProps,
  corrections: CorrectionList,
): TableColumn<number>[] {
  return [
    createTextColumn('period', 'Period', (index) => {
      const period = periods[index];
      return (
        <span title={period && `ended on ${formatDayLabel(period.date)}`}>{period?.label}</span>
      );
    }),
    ...rows.map(({ label, values }) => ({
      name: label,
      title: label,
      unit: getUnit(unitInfo),
      renderCell: (index: number) => (
        <NumberCell
          value={values[index]}
          unitInfo={unitInfo}
          previous={findLastCorrection(corrections, periods[index]?.date, label)}
          isLinked
        />
      ),
    })),
  ];
}
