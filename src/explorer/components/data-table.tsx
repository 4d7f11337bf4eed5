import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { formatNumber, formatQuantity } from '../formatting/numbers.ts';
import { Button } from './button.tsx';
import { type ColumnChoice, ColumnMenu, useFittingColumns } from './column-choice.tsx';
import { sortRows } from './sort-rows.ts';
import { useRowWindow } from './use-row-window.ts';

export interface DataTableColumn<Row> {
  readonly name: string;
  readonly title: string;
  readonly unit?: string | undefined;
  /** Makes the table sortable by this column. */
  readonly sortValue?: ((row: Row) => string | number | undefined) | undefined;
  /** The header's native tooltip. */
  readonly hint?: string | undefined;
  readonly isText?: boolean;
  readonly renderCell: (row: Row) => ComponentChildren;
}

/** An unsorted column without a unit. */
export function createColumn<Row>(
  name: string,
  title: string,
  renderCell: DataTableColumn<Row>['renderCell'],
): DataTableColumn<Row> {
  return { name, title, renderCell };
}

/** A column of left-aligned texts. */
export function createTextColumn<Row>(...column: Parameters<typeof createColumn<Row>>) {
  return { ...createColumn(...column), isText: true };
}

/** A column of texts that the table can be sorted by. */
export function createSortedColumn<Row>(
  name: string,
  title: string,
  getText: (row: Row) => string | undefined,
  renderCell: DataTableColumn<Row>['renderCell'] = getText,
): DataTableColumn<Row> {
  return { name, title, isText: true, renderCell, sortValue: getText };
}

interface DataTableProps<Row> {
  readonly caption: string;
  readonly columns: readonly DataTableColumn<Row>[];
  /** If given, columns that do not fit are hidden, the last ones first, and visitors can choose. */
  readonly choice?: ColumnChoice | undefined;
  readonly rows: readonly Row[];
  readonly getRowKey: (row: Row) => string;
  readonly isHighlighted?: (row: Row) => boolean;
  /** `ytm` for ascending, `-ytm` for descending. */
  readonly sort?: string | undefined;
  readonly onSort?: ((sort: string) => void) | undefined;
}

/** A sortable table that renders only the rows near the visible ones. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns: all, choice, rows, getRowKey, sort, onSort, isHighlighted } = props;
  const area = useRef<HTMLElement>(null);
  const columns = useFittingColumns(area, all, choice);
  const sorted = useMemo(() => sortRows(rows, all, sort), [rows, all, sort]);
  useFadedEdge(area);
  const { from, to, pixelsAbove, pixelsBelow } = useRowWindow(sorted.length, area);
  const isPartial = to - from < sorted.length;
  const isPrinted = isPartial && pixelsAbove + pixelsBelow === 0;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
      <section class="table-scroll" tabIndex={0} aria-label={caption} ref={area}>
        <table aria-rowcount={isPartial ? sorted.length + 1 : undefined}>
          <caption class="visually-hidden">{caption}</caption>
          <thead>
            <tr>{columns.map((column) => renderHeader(column, sort, onSort))}</tr>
          </thead>
          <tbody>
            {renderSpacer('above', pixelsAbove)}
            {sorted.slice(from, to).map((row, index) => (
              <tr
                key={getRowKey(row)}
                class={isHighlighted?.(row) ? 'highlighted' : undefined}
                aria-rowindex={isPartial ? from + index + 2 : undefined}
              >
                {columns.map((column, cell) => renderTableCell(column, row, cell === 0))}
              </tr>
            ))}
            {renderSpacer('below', pixelsBelow)}
          </tbody>
        </table>
      </section>
      {isPrinted && (
        <p class="list-footer">
          The first {formatNumber(to, 0)} of {formatQuantity(sorted.length, 'row')}; a download has
          all of them.
        </p>
      )}
      {choice && <ColumnMenu all={all} choice={choice} shown={columns} />}
    </>
  );
}

/** Fades the right edge of a table that continues beyond it. */
function useFadedEdge(area: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    const update = () => {
      const right = element.scrollWidth - element.clientWidth - element.scrollLeft;
      const below = element.scrollHeight - element.clientHeight - element.scrollTop;
      element.classList.toggle('has-more', right > 1);
      element.classList.toggle('has-more-below', below > 1);
    };
    const observer = new ResizeObserver(update);
    for (const each of [element, element.querySelector('table')]) if (each) observer.observe(each);
    element.addEventListener('scroll', update, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', update);
    };
  }, []);
}

/** Takes the place of rows that are not rendered. */
function renderSpacer(key: string, pixels: number) {
  if (pixels === 0) return null;
  return <tr key={key} class="row-spacer" style={{ height: `${pixels}px` }} />;
}

function renderTableCell<Row>(column: DataTableColumn<Row>, row: Row, isRowHeader: boolean) {
  const { name, renderCell, isText } = column;
  const Cell = isRowHeader ? 'th' : 'td';
  return (
    <Cell key={name} scope={isRowHeader ? 'row' : undefined} class={isText ? 'text' : undefined}>
      {renderCell(row)}
    </Cell>
  );
}

function renderHeader<Row>(
  column: DataTableColumn<Row>,
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
        <Button onClick={() => onSort(direction === 'ascending' ? `-${name}` : name)}>
          {label}
        </Button>
      ) : (
        label
      )}
    </th>
  );
}
