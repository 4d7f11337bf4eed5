import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { describeChange } from '../breakdown/changes.ts';
import type { PreviousValue } from '../corrections/revision-corrections.ts';
import { formatPair, NO_VALUE, type UnitInfo } from '../formatting/numbers.ts';
import { Link } from '../routing/view-route.tsx';

export interface TableColumn<Row> {
  readonly name: string;
  readonly title: string;
  readonly unit?: string | undefined;
  /** The header's native tooltip. */
  readonly hint?: string | undefined;
  readonly isText?: boolean;
  readonly renderCell: (row: Row) => ComponentChildren;
  /** The table can be sorted by columns that have this. */
  readonly sortValue?: ((row: Row) => number | string | undefined) | undefined;
}

interface DataTableProps<Row> {
  readonly caption: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly getRowKey: (row: Row) => string;
  readonly isHighlighted?: (row: Row) => boolean;
  /** `ytm` for ascending, `-ytm` for descending. */
  readonly sort?: string | undefined;
  readonly onSort?: ((sort: string) => void) | undefined;
}

const INITIAL_ROWS = 200;
const ROWS_PER_STEP = 1_000;

/** A table that can be sorted, and renders its first rows only until more are requested. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, getRowKey, sort, onSort, isHighlighted } = props;
  const [maxRows, setMaxRows] = useState(INITIAL_ROWS);
  const scrollArea = useRef<HTMLElement>(null);
  const visible = sortRows(rows, columns, sort).slice(0, maxRows);
  const showMore = () => {
    setMaxRows(maxRows + ROWS_PER_STEP);
    // The button may disappear.
    scrollArea.current?.focus();
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
      <section class="table-scroll" tabIndex={0} aria-label={caption} ref={scrollArea}>
        <table>
          <caption class="visually-hidden">{caption}</caption>
          <thead>
            <tr>{columns.map((column) => renderHeader(column, sort, onSort))}</tr>
          </thead>
          <tbody>
            {visible.map((row) => (
              <tr key={getRowKey(row)} class={isHighlighted?.(row) ? 'highlighted' : undefined}>
                {columns.map((column, index) => renderTableCell(column, row, index === 0))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {visible.length < rows.length && (
        <p class="list-footer">
          The first {visible.length} of {rows.length}.{' '}
          <button type="button" onClick={showMore}>
            {rows.length > maxRows + ROWS_PER_STEP ? `Show ${ROWS_PER_STEP} more` : 'Show all'}
          </button>
        </p>
      )}
    </>
  );
}

function renderTableCell<Row>(column: TableColumn<Row>, row: Row, isRowHeader: boolean) {
  const { name, renderCell, isText } = column;
  const Cell = isRowHeader ? 'th' : 'td';
  return (
    <Cell key={name} scope={isRowHeader ? 'row' : undefined} class={isText ? 'text' : undefined}>
      {renderCell(row)}
    </Cell>
  );
}

function renderHeader<Row>(
  column: TableColumn<Row>,
  sort: string | undefined,
  onSort: ((sort: string) => void) | undefined,
) {
  const { name, title, unit, hint, isText, sortValue } = column;
  const direction = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : undefined;
  const label = (
    <>
      {title}
      {direction && (
        <span class="arrow" aria-hidden="true">
          {direction === 'ascending' ? '▲' : '▼'}
        </span>
      )}{' '}
      {unit && <small>{unit}</small>}
    </>
  );
  return (
    <th
      key={name}
      scope="col"
      class={isText ? 'text' : undefined}
      aria-sort={direction}
      title={hint}
    >
      {sortValue && onSort ? (
        <button type="button" onClick={() => onSort(direction === 'ascending' ? `-${name}` : name)}>
          {label}
        </button>
      ) : (
        label
      )}
    </th>
  );
}

/** Rows without a value come last in both directions. */
function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  sort = '',
): readonly Row[] {
  const isDescending = sort.startsWith('-');
  const sortValue = columns.find(({ name }) => name === sort.replace(/^-/, ''))?.sortValue;
  if (!sortValue) return rows;
  return rows.toSorted((rowA, rowB) => {
    const [a, b] = [sortValue(rowA), sortValue(rowB)];
    if (a === b) return 0;
    if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
    return a < b !== isDescending ? -1 : 1;
  });
}

interface NumberCellProps {
  readonly value: number | undefined;
  readonly unitInfo: UnitInfo;
  readonly previous?: PreviousValue | undefined;
  /** Whether the previous value links to the revision that corrected it. */
  readonly isLinked?: boolean;
}

/** A figure in a table, with full precision on hover and its previous value if it was corrected. */
export function NumberCell({ value, unitInfo, previous, isLinked }: NumberCellProps) {
  const pair = formatPair(previous?.old, value, unitInfo);
  const previousLabel = previous?.old === undefined ? 'was not there' : `was ${pair.old}`;
  return (
    <>
      <span title={value === undefined ? undefined : String(value)}>{pair.new}</span>
      {previous && (
        <small class="previous-value">
          {isLinked ? (
            <Link view="ledger" params={{ revision: String(previous.revision) }}>
              {previousLabel}
            </Link>
          ) : (
            previousLabel
          )}
        </small>
      )}
    </>
  );
}

interface ChangeValueProps {
  readonly later: number | undefined;
  readonly earlier: number | undefined;
  readonly unitInfo: UnitInfo;
}

/** How much a value changed, in the colour of the direction. */
export function ChangeValue({ later, earlier, unitInfo }: ChangeValueProps) {
  const change = describeChange(later, earlier, unitInfo);
  if (change === undefined) return <span class="muted">{NO_VALUE}</span>;
  return <span class={change.direction}>{change.text}</span>;
}
