import { FigureCell } from '../composition/figure-cell.tsx';
import { lastOf } from '../differences/amendments.ts';
import { dayWords } from '../figures/days.ts';
import { unitOf } from '../figures/figures.ts';
import { Panel } from '../parts/panel.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Take } from '../take/take.tsx';
import type { FundPanelProps } from './allocation-panel.tsx';
import { questionOf, type Row } from './fund.ts';
import { Swatched } from './swatched.tsx';

/** Every class in every period, newest first. */
export function PeriodsPanel({ title, fund, setting }: FundPanelProps) {
  const { record } = fund;
  const { entry, palette, short } = setting;
  const { fund_id } = record;
  return (
    <Panel
      title={title}
      tools={
        <Take
          question={questionOf(entry, fund_id)}
          name={`fund-${fund_id}`}
          title={`Fund ${short(fund_id)}`}
        />
      }
    >
      <Table
        caption={`Fund ${short(fund_id)}: shares in every period`}
        columns={[
          {
            name: 'class',
            title: 'Class',
            isText: true,
            cell: ({ label }) => <Swatched label={label} palette={palette} />,
          },
          ...periodColumns({ title, fund, setting }),
        ]}
        rows={record.rows}
        keyOf={({ label }) => label}
      />
    </Panel>
  );
}

function periodColumns({ fund, setting: { measure } }: FundPanelProps): Column<Row>[] {
  const { record, amendments } = fund;
  return record.periods.map(({ label: period, date }, index) => ({
    name: date,
    title: period,
    unit: unitOf(measure),
    hint: `ended on ${dayWords(date)}`,
    cell: ({ label, values }) => (
      <FigureCell
        value={values[index]}
        measure={measure}
        former={lastOf(amendments, date, label)}
        isLinked
      />
    ),
  }));
}
