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
export function PeriodsPanel({ title, fund, options }: FundPanelProps) {
  const { record } = fund;
  const { entry, palette, shortenId } = options;
  const { fund_id } = record;
  return (
    <Panel
      title={title}
      tools={
        <ExportMenu
          request={createFundRequest(entry, fund_id)}
          fileName={`fund-${fund_id}`}
          title={`Fund ${shortenId(fund_id)}`}
        />
      }
    >
      <DataTable
        caption={`Fund ${shortenId(fund_id)}: shares in every period`}
        columns={[
          {
            name: 'class',
            title: 'Class',
            isText: true,
            renderCell: ({ label }) => <ClassLabel label={label} palette={palette} />,
          },
          ...createPeriodColumns({ title, fund, options }),
        ]}
        rows={record.rows}
        getRowKey={({ label }) => label}
      />
    </Panel>
  );
}

function createPeriodColumns({
  fund,
  options: { unitInfo },
}: FundPanelProps): TableColumn<AssetClassRow>[] {
  const { record, amendments: corrections } = fund;
  return record.periods.map(({ label: period, date }, index) => ({
    name: date,
    title: period,
    unit: getUnit(unitInfo),
    hint: `ended on ${formatDayLabel(date)}`,
    renderCell: ({ label, values }) => (
      <NumberCell
        value={values[index]}
        measure={unitInfo}
        previous={findLastCorrection(corrections, date, label)}
        isLinked
      />
    ),
  }));
}
