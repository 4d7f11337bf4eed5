import { Link } from '../address/link.tsx';
import { go, usePlace } from '../address/place.ts';
import { changeBetween } from '../composition/changes.ts';
import { Change, FigureCell } from '../composition/figure-cell.tsx';
import type { Part } from '../composition/part.ts';
import { lastOf, lastRevisionOf } from '../differences/amendments.ts';
import { NONE, unitOf } from '../figures/figures.ts';
import { Choices } from '../parts/choices.tsx';
import { Panel } from '../parts/panel.tsx';
import { type Column, Table } from '../parts/table.tsx';
import type { FieldEntry } from '../service/catalogue.ts';
import { Take } from '../take/take.tsx';
import type { ShownSeries } from './chart-panel.tsx';
import type { Series } from './series.ts';

/** Every period with its figures or its changes on the year, newest first. */
export function TablePanel(shown: ShownSeries) {
  const { entry, series, amendments } = shown;
  const { at } = usePlace();
  const { labels, records, perYear } = series;
  const isChanges = at.table === 'changes' && perYear !== undefined;
  const rows = [...labels.keys()].filter((index) => records[index]).reverse();
  const title = isChanges ? 'Changes on the year' : 'Figures';
  return (
    <Panel
      title={title}
      class="worded"
      tools={<Take question={{ path: entry.path }} name={entry.name} title={entry.title} />}
    >
      {perYear !== undefined && (
        <div class="tools choosing">
          <Choices
            label="What the table holds"
            options={HELD}
            chosen={isChanges ? 'changes' : 'figures'}
            onChoose={(key) => go({ table: key === 'changes' ? key : undefined })}
          />
        </div>
      )}
      <Table
        caption={`${entry.title}, ${title.toLowerCase()}`}
        columns={columnsOf(shown, isChanges)}
        rows={rows}
        keyOf={(index) => labels[index] ?? ''}
        isMarked={(index) => lastRevisionOf(amendments, labels[index]) !== undefined}
      />
    </Panel>
  );
}

const HELD = [
  { key: 'figures', text: 'Figures' },
  { key: 'changes', text: 'Changes on the year' },
] as const;

/** Rows are places of the timeline. */
function columnsOf(shown: ShownSeries, isChanges: boolean): Column<number>[] {
  const { entry, series } = shown;
  const { figures, whole } = series;
  const fields = entry.fields.filter(({ name }) => name !== entry.period?.field);
  const columns = fields.flatMap((field): Column<number>[] => {
    const parts = figures.filter((part) => part.field === field.name);
    if (parts.length > 0) return parts.map((part) => columnOf(part, shown, isChanges));
    return isChanges || field.kind === 'list' ? [] : [textColumn(field, series)];
  });
  const sum = whole?.isSum ? [columnOf(whole, shown, isChanges)] : [];
  return [periodColumn(shown), ...sum, ...columns];
}

function periodColumn({ entry, series: { labels }, amendments }: ShownSeries): Column<number> {
  const field = entry.fields.find(({ name }) => name === entry.period?.field);
  return {
    name: 'period',
    title: field?.meaning ?? 'Period',
    hint: field?.name,
    isText: true,
    cell(index) {
      const revision = lastRevisionOf(amendments, labels[index]);
      return (
        <>
          {labels[index]}
          {revision !== undefined && (
            <small class="former">
              <Link to="ledger" at={{ revision: String(revision) }}>
                corrected
              </Link>
            </small>
          )}
        </>
      );
    },
  };
}

function columnOf(part: Part, { series, amendments }: ShownSeries, isChanges: boolean) {
  const { key, title, hint, measure, values } = part;
  const { labels, perYear = 1 } = series;
  const isSum = part === series.whole && series.whole.isSum;
  const column: Column<number> = {
    name: key,
    title: isSum ? `${title}, computed here` : title,
    hint,
    unit: isChanges ? undefined : unitOf(measure),
    cell: (index) =>
      isChanges ? (
        <Change
          value={changeBetween(values[index], values[index - perYear], measure)}
          measure={measure}
        />
      ) : (
        <FigureCell
          value={values[index]}
          measure={measure}
          former={lastOf(amendments, labels[index], key)}
        />
      ),
  };
  return column;
}

/** A field that holds no figure: as it is. */
function textColumn({ name, meaning }: FieldEntry, { records }: Series): Column<number> {
  return {
    name,
    title: meaning,
    hint: name,
    isText: true,
    cell: (index) => String(records[index]?.[name] ?? NONE),
  };
}
