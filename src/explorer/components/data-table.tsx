import { Component, type ComponentChildren, type RefObject } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { formatNumber, formatQuantity } from '../formatting/numbers.ts';
import { Button } from './button.tsx';
import { type ColumnChoice, ColumnMenu, useFittingColumns } from './column-choice.tsx';
import { sortRows } from './sort-rows.ts';
import { scrollToRow, useRowWindow } from './use-row-window.ts';

export interface TableColumn<Row> {
  readonly name: string;
  readonly title: string;
  readonly unit?: string | undefined;
  /** The field of the service's tables, if it is called otherwise there. */
  readonly field?: string | undefined;
  /** The table can be sorted by columns that have this. */
  readonly sortValue?: ((row: Row) => string | number | undefined) | undefined;
  /** The header's native tooltip. */
  readonly hint?: string | undefined;
  readonly isText?: boolean;
  readonly renderCell: (row: Row) => ComponentChildren;
}

/** A column that is its name, its title and its cells, without a unit and unsorted. */
export function createColumn<Row>(
  name: string,
  title: string,
  renderCell: TableColumn<Row>['renderCell'],
): TableColumn<Row> {
  return { name, title, renderCell };
}

/** A column of texts, which all begin at its left edge. */
export function createTextColumn<Row>(...column: Parameters<typeof createColumn<Row>>) {
  return { ...createColumn(...column), isText: true };
}

interface DataTableProps<Row> {
  readonly caption: string;
  readonly columns: readonly TableColumn<Row>[];
  /** With it, columns that do not fit are left out, the last ones first, and people choose. */
  readonly choice?: ColumnChoice | undefined;
  readonly rows: readonly Row[];
  readonly getRowKey: (row: Row) => string;
  readonly isHighlighted?: (row: Row) => boolean;
  /** `ytm` for ascending, `-ytm` for descending. */
  readonly sort?: string | undefined;
  readonly onSort?: ((sort: string) => void) | undefined;
  /** Key of a row that is pointed at elsewhere, such as in a chart: it is marked and in view. */
  readonly pointedKey?: string | undefined;
  /** Called with the key of the row below the pointer or the focus. */
  readonly onPointRow?: ((key: string | undefined) => void) | undefined;
}

/** A table that can be sorted, and renders of many rows only those near the visible ones. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns: all, choice, rows, getRowKey, sort, onSort, isHighlighted } = props;
  const { pointedKey, onPointRow } = props;
  const area = useRef<HTMLElement>(null);
  const columns = useFittingColumns(area, all, choice);
  const sorted = useMemo(() => sortRows(rows, all, sort), [rows, all, sort]);
  useFadedEdge(area);
  const { from, to, pixelsAbove, pixelsBelow } = useRowWindow(sorted.length, area);
  const isPartial = to - from < sorted.length;
  const isPrinted = isPartial && pixelsAbove + pixelsBelow === 0;
  const pointerHandlers = usePointedRow(area, sorted, props);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
      <section class="table-scroll" tabIndex={0} aria-label={caption} ref={area}>
        <table aria-rowcount={isPartial ? sorted.length + 1 : undefined}>
          <caption class="visually-hidden">{caption}</caption>
          <thead>
            <tr>{columns.map((column) => renderHeader(column, sort, onSort))}</tr>
          </thead>
          <tbody {...(onPointRow && pointerHandlers)}>
            {renderSpacer('above', pixelsAbove)}
            {sorted.slice(from, to).map((row, index) => {
              const key = getRowKey(row);
              const isMarked = key === pointedKey || isHighlighted?.(row) === true;
              return (
                <TableRow
                  key={key}
                  rowKey={onPointRow && key}
                  rowIndex={isPartial ? from + index + 2 : undefined}
                  {...{ row, columns, isMarked }}
                />
              );
            })}
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
      {choice && <ColumnMenu {...{ all, choice }} shown={columns} />}
    </>
  );
}

/** Marks a table that goes on beyond its right edge, which then fades. */
function useFadedEdge(area: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    const update = () => {
      const { scrollWidth, clientWidth, scrollLeft } = element;
      element.classList.toggle('has-more', scrollWidth - clientWidth - scrollLeft > 1);
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

/** A pointer that passes over many points does not scroll the table to each of their rows. */
const POINTER_REST_MS = 80;

/** Tells which row the pointer or the focus is on, and scrolls to one that is pointed at elsewhere. */
function usePointedRow<Row>(
  area: RefObject<HTMLElement | null>,
  sorted: readonly Row[],
  { pointedKey, onPointRow, getRowKey }: DataTableProps<Row>,
) {
  const ownKey = useRef<string | undefined>(undefined);
  const point = (key: string | undefined) => {
    if (key === ownKey.current) return;
    ownKey.current = key;
    onPointRow?.(key);
  };
  const pointAtTarget = ({ target }: Event) =>
    point((target as Element).closest<HTMLElement>('tr[data-key]')?.dataset.key);
  useEffect(() => {
    if (pointedKey === undefined || pointedKey === ownKey.current) return;
    const timer = setTimeout(() => {
      const index = sorted.findIndex((row) => getRowKey(row) === pointedKey);
      if (area.current && index >= 0) scrollToRow(area.current, index, sorted.length);
    }, POINTER_REST_MS);
    return () => clearTimeout(timer);
  }, [pointedKey]);
  return {
    onPointerOver: (event: PointerEvent) => {
      if (event.pointerType === 'mouse') pointAtTarget(event);
    },
    onPointerLeave: () => point(undefined),
    onFocusIn: pointAtTarget,
    onFocusOut: () => point(undefined),
  };
}

interface TableRowProps {
  readonly row: unknown;
  readonly columns: readonly TableColumn<never>[];
  readonly rowKey: string | undefined;
  readonly rowIndex: number | undefined;
  readonly isMarked: boolean;
}

/** Rendered again only if something of it has changed: a pointer that moves marks row after row. */
class TableRow extends Component<TableRowProps> {
  override shouldComponentUpdate(next: TableRowProps): boolean {
    const names = ['row', 'columns', 'rowIndex', 'isMarked'] as const;
    return names.some((name) => next[name] !== this.props[name]);
  }

  override render({ row, columns, rowKey, rowIndex, isMarked }: TableRowProps) {
    return (
      <tr class={isMarked ? 'highlighted' : undefined} data-key={rowKey} aria-rowindex={rowIndex}>
        {columns.map((column, index) => renderTableCell(column, row as never, index === 0))}
      </tr>
    );
  }
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
        <Button onClick={() => onSort(direction === 'ascending' ? `-${name}` : name)}>
          {label}
        </Button>
      ) : (
        label
      )}
    </th>
  );
}
