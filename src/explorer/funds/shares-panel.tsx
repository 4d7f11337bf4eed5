import { go, usePlace } from '../address/place.ts';
import { changeBetween } from '../composition/changes.ts';
import { Change, FigureCell } from '../composition/figure-cell.tsx';
import { dayWords } from '../figures/days.ts';
import { type Measure, unitOf } from '../figures/figures.ts';
import { Panel } from '../parts/panel.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Take } from '../take/take.tsx';
import { type FundRecord, type Period, periodAt, questionOf, shareOf, yearBefore } from './fund.ts';
import type { Setting } from './mix.tsx';
import { Swatched } from './swatched.tsx';

interface SharesPanelProps {
  readonly one: FundRecord;
  /** The fund that it is compared with; without one, a period is compared with a year before. */
  readonly two?: FundRecord;
  readonly setting: Setting;
}

/** The shares of one period, beside those of a year before or of another fund. */
export function SharesPanel({ one, two, setting }: SharesPanelProps) {
  const { at } = usePlace();
  const { entry, short } = setting;
  const chosen = (at.period && periodAt(one.periods, at.period)) || 0;
  const labels = new Set([one, two ?? one].flatMap(({ rows }) => rows.map(({ label }) => label)));
  const title = two ? 'Two funds compared' : 'Shares';
  return (
    <Panel
      title={title}
      class="worded narrow"
      tools={
        !two && (
          <Take
            question={questionOf(entry, one.fund_id)}
            name={`fund-${one.fund_id}`}
            title={`Fund ${short(one.fund_id)}`}
          />
        )
      }
    >
      <PeriodChoice periods={one.periods} chosen={chosen} />
      <Table
        caption={`${title}, class by class`}
        columns={two ? twoColumns(one, two, chosen, setting) : yearColumns(one, chosen, setting)}
        rows={[...labels]}
        keyOf={(label) => label}
      />
    </Panel>
  );
}

interface PeriodChoiceProps {
  readonly periods: readonly Period[];
  readonly chosen: number;
}

function PeriodChoice({ periods, chosen }: PeriodChoiceProps) {
  const before = yearBefore(periods, 0);
  return (
    <label class="tools choosing">
      Period
      <select
        value={periods[chosen]?.date}
        onChange={({ currentTarget: { value } }) =>
          go({ period: value === periods[0]?.date ? undefined : value })
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
function shareColumn(
  record: FundRecord,
  period: number | undefined,
  measure: Measure,
  known: Pick<Column<string>, 'name' | 'title' | 'hint' | 'unit'>,
): Column<string> {
  return {
    ...known,
    cell: (label) => {
      const value = shareOf(record, label, period);
      const isHeld = record.rows.some((row) => row.label === label);
      if (!isHeld) return <span class="quiet">not in this fund</span>;
      return <FigureCell value={value} measure={measure} />;
    },
  };
}

function classColumn({ palette }: Setting): Column<string> {
  return {
    name: 'class',
    title: 'Class',
    isText: true,
    cell: (label) => <Swatched label={label} palette={palette} />,
  };
}

function yearColumns(record: FundRecord, chosen: number, setting: Setting): Column<string>[] {
  const { measure } = setting;
  const { periods } = record;
  const before = yearBefore(periods, chosen);
  const unit = unitOf(measure);
  const earlier = before === undefined ? undefined : periods[before];
  return [
    classColumn(setting),
    shareColumn(record, chosen, measure, {
      name: 'chosen',
      title: periods[chosen]?.label ?? '',
      unit,
    }),
    shareColumn(record, before, measure, {
      name: 'before',
      title: earlier?.label ?? 'A year before',
      unit: earlier ? `${unit}, a year before` : 'nothing was published',
    }),
    {
      name: 'change',
      title: 'Change',
      cell: (label) => {
        const [now, then] = [shareOf(record, label, chosen), shareOf(record, label, before)];
        return <Change value={changeBetween(now, then, measure)} measure={measure} />;
      },
    },
  ];
}

function twoColumns(
  one: FundRecord,
  two: FundRecord,
  chosen: number,
  setting: Setting,
): Column<string>[] {
  const { measure, short } = setting;
  const other = periodAt(two.periods, one.periods[chosen]?.date ?? '');
  const columnOf = (record: FundRecord, period: number | undefined) => {
    const { label, date } = (period === undefined ? undefined : record.periods[period]) ?? {};
    return shareColumn(record, period, measure, {
      name: record.fund_id,
      title: short(record.fund_id),
      hint: record.fund_id,
      unit: date ? `%, ${label}, to ${dayWords(date)}` : 'nothing was published by then',
    });
  };
  return [
    classColumn(setting),
    columnOf(one, chosen),
    columnOf(two, other),
    {
      name: 'difference',
      title: 'Difference',
      unit: `${short(two.fund_id)} less ${short(one.fund_id)}`,
      cell: (label) => {
        const [here, there] = [shareOf(one, label, chosen), shareOf(two, label, other)];
        return <Change value={changeBetween(there, here, measure)} measure={measure} />;
      },
    },
  ];
}
