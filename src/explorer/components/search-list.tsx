import type { ComponentChildren } from 'preact';
import { formatMatches } from '../formatting/numbers.ts';
import {
  type ParamChanges,
  updateParams,
  updateParamsContinuously,
  useViewRoute,
} from '../routing/view-route.tsx';
import { Button } from './button.tsx';
import { useColumnChoice } from './column-choice.tsx';
import { DataTable, type DataTableColumn } from './data-table.tsx';
import { EmptyState } from './panel.tsx';

interface SearchBarProps {
  readonly label: string;
  readonly placeholder?: string | undefined;
  /** How many match. */
  readonly status: string;
  /** Further filters. */
  readonly children?: ComponentChildren;
}

/** A search for the text in the URL. */
export function SearchBar({ label, placeholder, status, children }: SearchBarProps) {
  return (
    <search class="search-bar row">
      <label>
        {label}
        <input
          type="search"
          autocomplete="off"
          spellcheck={false}
          placeholder={placeholder}
          value={useViewRoute().params.find ?? ''}
          onInput={({ currentTarget }) => updateParamsContinuously({ find: currentTarget.value })}
        />
      </label>
      {children}
      <span class="status-message" role="status">
        {status}
      </span>
    </search>
  );
}

interface SearchListProps<Row> extends Omit<SearchBarProps, 'status'> {
  /** What is listed: its singular and its plural. */
  readonly nouns: readonly [singular: string, plural: string];
  readonly count: number;
  readonly matches: readonly Row[];
  readonly columns: readonly DataTableColumn<Row>[];
  readonly getRowKey: (row: Row) => string;
  readonly defaultSort?: string;
  /** The parameters that show everything. */
  readonly reset?: ParamChanges;
}

/** A table of what matches a search, and other filters. */
export function SearchList<Row>(props: SearchListProps<Row>) {
  const { nouns, count, matches, columns, getRowKey, defaultSort, reset, ...bar } = props;
  const [singular, plural] = nouns;
  const { find, sort = defaultSort } = useViewRoute().params;
  const { choice } = useColumnChoice(plural, columns);
  return (
    <>
      <SearchBar {...bar} status={formatMatches(matches.length, count, plural)} />
      {matches.length === 0 ? (
        <EmptyState title={`No ${singular} matches${find ? ` “${find}”` : ''}`}>
          <Button onClick={() => updateParams({ find: undefined, ...reset })}>
            Show all of them
          </Button>
        </EmptyState>
      ) : (
        <DataTable
          caption={`${plural.charAt(0).toUpperCase()}${plural.slice(1)}`}
          columns={columns}
          choice={choice}
          rows={matches}
          getRowKey={getRowKey}
          sort={sort}
          onSort={(next) => updateParams({ sort: next === defaultSort ? undefined : next })}
        />
      )}
    </>
  );
}
