import { DataTable, type TableColumn } from '../components/data-table.tsx';
import { NumberCell } from '../components/number-cell.tsx';
import { Panel } from '../components/panel.tsx';
import { findLastCorrection } from '../corrections/revision-corrections.ts';
import { ExportMenu } from '../export/export-menu.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { getUnit } from '../formatting/numbers.ts';
import { type AssetClassRow, createFundRequest } from './fund-record.ts';
import { createClassColumn } from './shares-panel.tsx';
import type { FundPanelProps } from './use-fund-data.ts';

/** Every class in every period, newest first. */
export function PeriodsPanel({ title, fund }: FundPanelProps) {
  const { entry, record, palette, shortenId, unitInfo, correctionsQuery } = fund;
  const { fund_id } = record;
  const periodColumns = record.periods.map(
    ({ label: period, date }, index): TableColumn<AssetClassRow> => ({
      name: date,
      title: period,
      unit: getUnit(unitInfo),
      hint: `ended on ${formatDayLabel(date)}`,
      renderCell: ({ label, values }) => (
        <NumberCell
          value={values[index]}
          unitInfo={unitInfo}
          previous={findLastCorrection(correctionsQuery.corrections, date, label)}
          isLinked
        />
      ),
    }),
  );
  return (
    <Panel
      title={title}
      tools={
        <ExportMenu request={createFundRequest(entry, fund_id)} fileName={`fund-${fund_id}`} />
      }
    >
      <DataTable
        caption={`Fund ${shortenId(fund_id)}: shares in every period`}
        columns={[
          createClassColumn(palette, ({ label }: AssetClassRow) => label),
          ...periodColumns,
        ]}
        rows={record.rows}
        getRowKey={({ label }) => label}
      />
    </Panel>
  );
}
