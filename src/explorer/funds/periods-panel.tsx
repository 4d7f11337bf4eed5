import { DataTable, type TableColumn } from '../components/data-table.tsx';
import { NumberCell } from '../components/number-cell.tsx';
import { Panel } from '../components/panel.tsx';
import { findLastCorrection } from '../corrections/revision-corrections.ts';
import { ExportMenu } from '../export/export-menu.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { getUnit } from '../formatting/numbers.ts';
import type { FundPanelProps } from './allocation-panel.tsx';
import { ClassLabel } from './class-label.tsx';
import { type AssetClassRow, createFundRequest } from './fund-record.ts';

/** Every class in every period, newest first. */
export function PeriodsPanel({ title, fund, setting }: FundPanelProps) {
  const { record } = fund;
  const { entry, palette, short } = setting;
  const { fund_id } = record;
  return (
    <Panel
      title={title}
      tools={
        <ExportMenu
          question={createFundRequest(entry, fund_id)}
          name={`fund-${fund_id}`}
          title={`Fund ${short(fund_id)}`}
        />
      }
    >
      <DataTable
        caption={`Fund ${short(fund_id)}: shares in every period`}
        columns={[
          {
            name: 'class',
            title: 'Class',
            isText: true,
            cell: ({ label }) => <ClassLabel label={label} palette={palette} />,
          },
          ...createPeriodColumns({ title, fund, setting }),
        ]}
        rows={record.rows}
        keyOf={({ label }) => label}
      />
    </Panel>
  );
}

function createPeriodColumns({
  fund,
  setting: { measure },
}: FundPanelProps): TableColumn<AssetClassRow>[] {
  const { record, amendments } = fund;
  return record.periods.map(({ label: period, date }, index) => ({
    name: date,
    title: period,
    unit: getUnit(measure),
    hint: `ended on ${formatDayLabel(date)}`,
    cell: ({ label, values }) => (
      <NumberCell
        value={values[index]}
        measure={measure}
        former={findLastCorrection(amendments, date, label)}
        isLinked
      />
    ),
  }));
}
