import { DataTable, type TableColumn } from '../components/data-table.tsx';
import { ChangeValue, NumberCell } from '../components/number-cell.tsx';
import { Panel } from '../components/panel.tsx';
import { ExportMenu } from '../export/export-menu.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { getUnit, type UnitInfo } from '../formatting/numbers.ts';
import { updateParams, useViewRoute } from '../routing/view-route.ts';
import { createClassColumn } from './class-column.tsx';
import {
  createFundRequest,
  type FundPeriod,
  type FundRecord,
  findPeriodIndex,
  findYearEarlierIndex,
  getShare,
} from './fund-record.ts';
import type { FundViewOptions } from './use-fund-data.ts';

interface SharesPanelProps {
  readonly record: FundRecord;
  /** The fund to compare with; without one, the period is compared with the one a year before. */
  readonly otherRecord?: FundRecord;
  readonly options: FundViewOptions;
}

/** The shares in one period, with those of a year before or of another fund. */
export function SharesPanel({ record, otherRecord, options }: SharesPanelProps) {
  const { params } = useViewRoute();
  const { fund_id, periods } = record;
  const selected = Math.max(0, params.period ? findPeriodIndex(periods, params.period) : 0);
  const rows = [...record.rows, ...(otherRecord?.rows ?? [])];
  const title = otherRecord ? 'Fund comparison' : 'Shares';
  return (
    <Panel
      title={title}
      class="text-table narrow"
      tools={
        !otherRecord && (
          <ExportMenu
            request={createFundRequest(options.entry, fund_id)}
            fileName={`fund-${fund_id}`}
          />
        )
      }
    >
      <PeriodSelect periods={periods} selected={selected} />
      <DataTable
        caption={`${title}, class by class`}
        columns={[
          createClassColumn(options.palette, (label: string) => label),
          ...(otherRecord
            ? createFundComparisonColumns([record, otherRecord], selected, options)
            : createYearComparisonColumns(record, selected, options)),
        ]}
        rows={[...new Set(rows.map(({ label }) => label))]}
        getRowKey={(label) => label}
      />
    </Panel>
  );
}

interface PeriodSelectProps {
  readonly periods: readonly FundPeriod[];
  readonly selected: number;
}

function PeriodSelect({ periods, selected }: PeriodSelectProps) {
  const yearEarlier = findYearEarlierIndex(periods, 0);
  return (
    <label class="toolbar chart-controls">
      Period
      <select
        value={periods[selected]?.date}
        onChange={({ currentTarget: { value } }) =>
          updateParams({ period: value === periods[0]?.date ? undefined : value })
        }
      >
        {periods.map(({ label, date }, index) => (
          <option key={date} value={date}>
            {label}
            {index === 0 ? ' (newest)' : index === yearEarlier ? ' (a year before)' : ''}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The shares of a fund in a period; the index is -1 where the fund has no such period. */
interface ShareColumn extends Pick<TableColumn<string>, 'name' | 'title' | 'hint' | 'unit'> {
  readonly record: FundRecord;
  readonly index: number;
}

function createShareColumn(
  { record, index, ...column }: ShareColumn,
  unitInfo: UnitInfo,
): TableColumn<string> {
  return {
    ...column,
    renderCell(label) {
      const isInFund = record.rows.some((row) => row.label === label);
      if (!isInFund) return <span class="muted">not in this fund</span>;
      return <NumberCell value={getShare(record, label, index)} unitInfo={unitInfo} />;
    },
  };
}

function createYearComparisonColumns(
  record: FundRecord,
  selected: number,
  { unitInfo }: FundViewOptions,
): TableColumn<string>[] {
  const index = findYearEarlierIndex(record.periods, selected);
  const earlier = record.periods[index];
  const unit = getUnit(unitInfo);
  const columns: ShareColumn[] = [
    {
      record,
      index: selected,
      name: 'chosen',
      title: record.periods[selected]?.label ?? '',
      unit,
    },
    {
      record,
      index,
      name: 'before',
      title: earlier?.label ?? 'A year before',
      unit: earlier ? `${unit}, a year before` : 'nothing was published',
    },
  ];
  return [
    ...columns.map((column) => createShareColumn(column, unitInfo)),
    {
      name: 'change',
      title: 'Change',
      renderCell: (label) => (
        <ChangeValue
          later={getShare(record, label, selected)}
          earlier={getShare(record, label, index)}
          unitInfo={unitInfo}
        />
      ),
    },
  ];
}

function createFundComparisonColumns(
  [record, otherRecord]: readonly [FundRecord, FundRecord],
  selected: number,
  { unitInfo, shortenId }: FundViewOptions,
): TableColumn<string>[] {
  const otherIndex = findPeriodIndex(otherRecord.periods, record.periods[selected]?.date ?? '');
  const createFundColumn = (fund: FundRecord, index: number) => {
    const period = fund.periods[index];
    const unit = period
      ? `%, ${period.label}, to ${formatDayLabel(period.date)}`
      : 'nothing was published by then';
    const { fund_id: name } = fund;
    const column = { record: fund, index, name, title: shortenId(name), hint: name, unit };
    return createShareColumn(column, unitInfo);
  };
  return [
    createFundColumn(record, selected),
    createFundColumn(otherRecord, otherIndex),
    {
      name: 'difference',
      title: 'Difference',
      unit: `${shortenId(otherRecord.fund_id)} less ${shortenId(record.fund_id)}`,
      renderCell: (label) => (
        <ChangeValue
          later={getShare(otherRecord, label, otherIndex)}
          earlier={getShare(record, label, selected)}
          unitInfo={unitInfo}
        />
      ),
    },
  ];
}
