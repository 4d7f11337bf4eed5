import { computeChange } from '../breakdown/changes.ts';
import { DataTable, type TableColumn } from '../components/data-table.tsx';
import { ChangeValue, NumberCell } from '../components/number-cell.tsx';
import { Panel } from '../components/panel.tsx';
import { ExportMenu } from '../export/export-menu.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { getUnit, type UnitInfo } from '../formatting/numbers.ts';
import { updateParams, useViewRoute } from '../routing/view-route.ts';
import { ClassLabel } from './class-label.tsx';
import type { FundViewOptions } from './fund-detail.tsx';
import {
  createFundRequest,
  type FundPeriod,
  type FundRecord,
  findPeriodIndex,
  findYearEarlierIndex,
  getShare,
} from './fund-record.ts';

interface SharesPanelProps {
  readonly one: FundRecord;
  /** The fund that it is compared with; without one, a period is compared with a year before. */
  readonly two?: FundRecord;
  readonly setting: FundViewOptions;
}

/** The shares of one period, beside those of a year before or of another fund. */
export function SharesPanel({ one, two, setting: options }: SharesPanelProps) {
  const { params } = useViewRoute();
  const { entry, shortenId } = options;
  const chosen = (params.period && findPeriodIndex(one.periods, params.period)) || 0;
  const labels = new Set([one, two ?? one].flatMap(({ rows }) => rows.map(({ label }) => label)));
  const title = two ? 'Two funds compared' : 'Shares';
  return (
    <Panel
      title={title}
      class="text-table narrow"
      tools={
        !two && (
          <ExportMenu
            request={createFundRequest(entry, one.fund_id)}
            fileName={`fund-${one.fund_id}`}
            title={`Fund ${shortenId(one.fund_id)}`}
          />
        )
      }
    >
      <PeriodSelect periods={one.periods} chosen={chosen} />
      <DataTable
        caption={`${title}, class by class`}
        columns={
          two
            ? createFundComparisonColumns(one, two, chosen, options)
            : createYearComparisonColumns(one, chosen, options)
        }
        rows={[...labels]}
        getRowKey={(label) => label}
      />
    </Panel>
  );
}

interface PeriodSelectProps {
  readonly periods: readonly FundPeriod[];
  readonly chosen: number;
}

function PeriodSelect({ periods, chosen }: PeriodSelectProps) {
  const before = findYearEarlierIndex(periods, 0);
  return (
    <label class="toolbar chart-controls">
      Period
      <select
        value={periods[chosen]?.date}
        onChange={({ currentTarget: { value } }) =>
          updateParams({ period: value === periods[0]?.date ? undefined : value })
        }
      >
        {periods.map(({ label, date }, index) => (
          <option key={date} value={date}>
            {label}
            {index === 0 ? ' (newest)' : index === before ? ' (a year before)' : ''}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A column of shares: of a fund, in a period that it has or has not. */
function createShareColumn(
  record: FundRecord,
  period: number | undefined,
  measure: UnitInfo,
  known: Pick<TableColumn<string>, 'name' | 'title' | 'hint' | 'unit'>,
): TableColumn<string> {
  return {
    ...known,
    renderCell: (label) => {
      const value = getShare(record, label, period);
      const isHeld = record.rows.some((row) => row.label === label);
      if (!isHeld) return <span class="muted">not in this fund</span>;
      return <NumberCell value={value} measure={measure} />;
    },
  };
}

function createClassColumn({ palette }: FundViewOptions): TableColumn<string> {
  return {
    name: 'class',
    title: 'Class',
    isText: true,
    renderCell: (label) => <ClassLabel label={label} palette={palette} />,
  };
}

function createYearComparisonColumns(
  record: FundRecord,
  chosen: number,
  options: FundViewOptions,
): TableColumn<string>[] {
  const { unitInfo } = options;
  const { periods } = record;
  const before = findYearEarlierIndex(periods, chosen);
  const unit = getUnit(unitInfo);
  const earlier = before === undefined ? undefined : periods[before];
  return [
    createClassColumn(options),
    createShareColumn(record, chosen, unitInfo, {
      name: 'chosen',
      title: periods[chosen]?.label ?? '',
      unit,
    }),
    createShareColumn(record, before, unitInfo, {
      name: 'before',
      title: earlier?.label ?? 'A year before',
      unit: earlier ? `${unit}, a year before` : 'nothing was published',
    }),
    {
      name: 'change',
      title: 'Change',
      renderCell: (label) => {
        const [now, then] = [getShare(record, label, chosen), getShare(record, label, before)];
        return <ChangeValue value={computeChange(now, then, unitInfo)} measure={unitInfo} />;
      },
    },
  ];
}

function createFundComparisonColumns(
  one: FundRecord,
  two: FundRecord,
  chosen: number,
  options: FundViewOptions,
): TableColumn<string>[] {
  const { unitInfo, shortenId } = options;
  const other = findPeriodIndex(two.periods, one.periods[chosen]?.date ?? '');
  const columnOf = (record: FundRecord, period: number | undefined) => {
    const { label, date } = (period === undefined ? undefined : record.periods[period]) ?? {};
    return createShareColumn(record, period, unitInfo, {
      name: record.fund_id,
      title: shortenId(record.fund_id),
      hint: record.fund_id,
      unit: date ? `%, ${label}, to ${formatDayLabel(date)}` : 'nothing was published by then',
    });
  };
  return [
    createClassColumn(options),
    columnOf(one, chosen),
    columnOf(two, other),
    {
      name: 'difference',
      title: 'Difference',
      unit: `${shortenId(two.fund_id)} less ${shortenId(one.fund_id)}`,
      renderCell: (label) => {
        const [here, there] = [getShare(one, label, chosen), getShare(two, label, other)];
        return <ChangeValue value={computeChange(there, here, unitInfo)} measure={unitInfo} />;
      },
    },
  ];
}
