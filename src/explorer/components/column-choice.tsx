import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { StoredItem } from '../api/stored-item.ts';
import { Button } from './button.tsx';
import { Menu } from './menu.tsx';
import { useElementWidth } from './use-element-width.ts';

interface ChoosableColumn {
  readonly name: string;
  readonly title: string;
  readonly unit?: string | undefined;
}

/** The columns chosen for a table; undefined for those that fit. */
export interface ColumnChoice {
  readonly chosen: readonly string[] | undefined;
  readonly choose: (names: readonly string[] | undefined) => void;
}

/** Stores the chosen columns of a table under its name; returns the columns to export, by default all. */
export function useColumnChoice<Column extends ChoosableColumn>(
  table: string,
  columns: readonly Column[],
  /** The current name of a column that may be stored under a former name. */
  getName = (name: string) => name,
) {
  const stored = useMemo(() => new StoredItem(() => localStorage, `tenor-columns-${table}`), []);
  const [chosen, setChosen] = useState<readonly string[] | undefined>(() =>
    stored.get()?.split(',').map(getName),
  );
  const choose: ColumnChoice['choose'] = (names) => {
    stored.set(names?.join());
    setChosen(names);
  };
  const shown = useMemo(() => selectColumns(columns, chosen), [columns, chosen]);
  return { choice: { chosen, choose }, columns: shown };
}

/** The first column says what a row is, so it always stays. */
function selectColumns<Column extends ChoosableColumn>(
  columns: readonly Column[],
  names: readonly string[] | undefined,
): readonly Column[] {
  return names ? columns.filter(({ name }, index) => index === 0 || names.includes(name)) : columns;
}

/** The rendered columns of a table: the chosen ones, or as many of the first as fit. */
export function useFittingColumns<Column extends ChoosableColumn>(
  area: RefObject<HTMLElement | null>,
  columns: readonly Column[],
  choice: ColumnChoice | undefined,
): readonly Column[] {
  const [fit, setFit] = useState<{ columns: readonly Column[]; width: number; count: number }>();
  const width = useElementWidth(area);
  const isFitted = choice !== undefined && choice.chosen === undefined;
  const isCurrent = fit?.columns === columns && fit.width === width;
  // All columns are rendered and measured before anything is painted.
  useLayoutEffect(() => {
    if (!isFitted || isCurrent || !area.current) return;
    setFit({ columns, width, count: countFitting(area.current) });
  }, [isFitted, isCurrent, columns, width]);
  const count = isFitted && isCurrent ? fit.count : columns.length;
  return useMemo(() => {
    if (!choice) return columns;
    return isFitted ? columns.slice(0, count) : selectColumns(columns, choice.chosen);
  }, [columns, count, isFitted, choice?.chosen]);
}

/** A table of names alone would say nothing. */
const MIN_COLUMNS = 2;

function countFitting(area: HTMLElement): number {
  const table = area.querySelector('table');
  if (!table) return 0;
  table.style.width = 'min-content';
  const widths = [...table.querySelectorAll('thead th')].map((cell) => cell.clientWidth);
  table.style.width = '';
  let rest = area.clientWidth;
  const count = widths.findIndex((width) => {
    rest -= width;
    return rest < 0;
  });
  return count < 0 ? widths.length : Math.max(MIN_COLUMNS, count);
}

interface ColumnMenuProps {
  readonly all: readonly ChoosableColumn[];
  readonly shown: readonly ChoosableColumn[];
  readonly choice: ColumnChoice;
}

/** Says how many columns are hidden, and lets visitors choose. */
export function ColumnMenu({ all, shown, choice: { chosen, choose } }: ColumnMenuProps) {
  const names = shown.map(({ name }) => name);
  const toggle = (name: string) =>
    choose(names.includes(name) ? names.filter((each) => each !== name) : [...names, name]);
  return (
    <div class="list-footer row column-choice">
      {shown.length < all.length && `${shown.length} of ${all.length} columns.`}
      <Menu label="Columns">
        {() => (
          <ul>
            {all.slice(1).map(({ name, title, unit }) => (
              <li key={name}>
                <label class="row">
                  <input
                    type="checkbox"
                    checked={names.includes(name)}
                    onChange={() => toggle(name)}
                  />
                  {title} {unit && <small>{unit}</small>}
                </label>
              </li>
            ))}
            {chosen && (
              <li>
                <Button onClick={() => choose(undefined)}>Those that fit</Button>
              </li>
            )}
          </ul>
        )}
      </Menu>
    </div>
  );
}
