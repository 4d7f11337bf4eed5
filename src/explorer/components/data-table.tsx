import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';

/** A column of a table of such rows. */
export interface TableColumn<Row> {
  readonly name: string;
  readonly title: string;
  readonly unit?: string | undefined;
  /** What the title means, for those who ask. */
  readonly hint?: string | undefined;
  readonly isText?: boolean;
  readonly renderCell: (row: Row) => ComponentChildren;
  /** What rows are sorted by; without it they are not. */
  readonly sortValue?: ((row: Row) => number | string | undefined) | undefined;
}

/** `ytm` for ascending, `-ytm` for descending. */
export type SortOrder = string;

interface DataTableProps<Row> {
  /** What the table holds. */
  readonly caption: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly getRowKey: (row: Row) => string;
  readonly sort?: SortOrder | undefined;
  readonly onSort?: ((sort: SortOrder) => void) | undefined;
  /** A row to be seen among the others. */
  readonly isHighlighted?: (row: Row) => boolean;
}

/** More are drawn only where that is asked for. */
const INITIAL_ROWS = 200;
const ROWS_PER_STEP = 1_000;

/** Rows in columns, sorted by what the visitor chooses. */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  getRowKey,
  sort,
  onSort,
  isHighlighted,
}: DataTableProps<Row>) {
  const [max, setMost] = useState(INITIAL_ROWS);
  const scroll = useRef<HTMLElement>(null);
  const shown = sortRows(rows, columns, sort).slice(0, max);
  const showMore = () => {
    setMost(max + ROWS_PER_STEP);
    // The button may be gone then.
    scroll.current?.focus();
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <section class="table-scroll" tabIndex={0} aria-label={caption} ref={scroll}>
        <table>
          <caption class="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <ColumnHeader key={column.name} column={column} sort={sort} onSort={onSort} />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={getRowKey(row)} class={isHighlighted?.(row) ? 'highlighted' : undefined}>
                {columns.map(({ name, renderCell, isText }, index) =>
                  index === 0 ? (
                    <th key={name} scope="row" class={isText ? 'text' : undefined}>
                      {renderCell(row)}
                    </th>
                  ) : (
                    <td key={name} class={isText ? 'text' : undefined}>
                      {renderCell(row)}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {shown.length < rows.length && (
        <p class="list-footer">
          The first {shown.length} of {rows.length}.{' '}
          <button type="button" onClick={showMore}>
            {rows.length > max + ROWS_PER_STEP ? `Show ${ROWS_PER_STEP} more` : 'Show all'}
          </button>
        </p>
      )}
    </>
  );
}

interface ColumnHeaderProps<Row> {
  readonly column: TableColumn<Row>;
  readonly sort: SortOrder | undefined;
  readonly onSort: ((sort: SortOrder) => void) | undefined;
}

function ColumnHeader<Row>({ column, sort, onSort }: ColumnHeaderProps<Row>) {
  const { name, title, unit, hint, isText, sortValue } = column;
  const direction = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : undefined;
  const words = (
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
    <th scope="col" class={isText ? 'text' : undefined} aria-sort={direction} title={hint}>
      {sortValue && onSort ? (
        <button type="button" onClick={() => onSort(direction === 'ascending' ? `-${name}` : name)}>
          {words}
        </button>
      ) : (
        words
      )}
    </th>
  );
}

/** Rows without a value come last, whichever way the others go. */
function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  sort: SortOrder = '',
): readonly Row[] {
  const isDown = sort.startsWith('-');
  const by = columns.find(({ name }) => name === sort.replace(/^-/, ''))?.sortValue;
  if (!by) return rows;
  return rows.toSorted((one, other) => {
    const [a, b] = [by(one), by(other)];
    if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1;
    if (a === b) return 0;
    return a < b !== isDown ? -1 : 1;
  });
}
