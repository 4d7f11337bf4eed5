import { useMemo } from 'preact/hooks';
import { useDataset, useExplorer } from '../api/explorer-context.ts';
import type { DatasetEntry } from '../api/types.ts';
import { useQuery } from '../api/use-query.ts';
import { Button } from '../components/button.tsx';
import { useColumnChoice } from '../components/column-choice.tsx';
import { createTextColumn, DataTable, type DataTableColumn } from '../components/data-table.tsx';
import { EmptyState, Panel, QueryView } from '../components/panel.tsx';
import { SegmentedControl } from '../components/segmented-control.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { formatMatches } from '../formatting/numbers.ts';
import { parseOption } from '../routing/parse-option.ts';
import {
  updateParams,
  updateParamsContinuously,
  useViewRoute,
  ViewLink,
} from '../routing/view-route.tsx';
import {
  filterSecurities,
  findSecurity,
  formatType,
  getField,
  hasMatured,
  isQuoted,
  listTypeOptions,
  type QuotedSecurity,
  type SecuritySummary,
} from './quote-fields.ts';
import { SecurityPage } from './security-page.tsx';

/** The page of the security in the URL; without one, a search. */
export function SecurityView() {
  const entry = useDataset('quotes');
  const { symbol: name } = useViewRoute().params;
  const query = useQuery<readonly SecuritySummary[]>({ path: '/2.0/bnb/securities' });
  return (
    <>
      {/* The page of a security has a heading of its own. */}
      {(!name || query.data === undefined) && <h1>{name ?? 'Find a security'}</h1>}
      <QueryView query={query} subject="securities">
        {(all) => {
          const securities = all.filter(isQuoted);
          if (!name) return <SecuritySearch entry={entry} securities={securities} />;
          const security = findSecurity(securities, name);
          if (!security) return <UnknownSecurity name={name} />;
          return (
            <SecurityPage
              key={security.symbol}
              entry={entry}
              security={security}
              securities={securities}
            />
          );
        }}
      </QueryView>
    </>
  );
}

function UnknownSecurity({ name }: { readonly name: string }) {
  const { api } = useExplorer();
  return (
    <>
      <h1>{name}</h1>
      <EmptyState title={`No security is called “${name}”`}>
        {api.asOf !== undefined &&
          'It may not have had a quote yet at the instant you are viewing. '}
        <ViewLink view="security" params={{ find: name }}>
          Find it by a part of its symbol, ISIN or name
        </ViewLink>
        , or <ViewLink view="security">look through all of them</ViewLink>.
      </EmptyState>
    </>
  );
}

function SecuritySearch(props: { entry: DatasetEntry; securities: readonly QuotedSecurity[] }) {
  const { entry, securities } = props;
  const { params } = useViewRoute();
  const types = getField(entry, 'type').values ?? [];
  const type = types.find((name) => name === params.type);
  const life = parseOption(LIFE_OPTIONS, params.life);
  const isMatured = life === 'all' ? undefined : life === 'matured';
  const matches = filterSecurities(securities, { text: params.find, type, isMatured }, entry);
  const columns = useMemo(() => createSecurityColumns(entry), [entry]);
  const { choice } = useColumnChoice('securities', columns);
  if (securities.length === 0) {
    return (
      <EmptyState title="There are no quotes yet">
        Load some with <code>npx tenor load quotes FILE</code>; they then appear here.
      </EmptyState>
    );
  }
  return (
    <Panel
      title="All securities"
      exported={{ request: { path: '/2.0/bnb/securities' }, fileName: 'securities' }}
    >
      <SecuritySearchBar
        entry={entry}
        type={type}
        life={life}
        example={securities[0]?.symbol}
        status={formatMatches(matches.length, securities.length, 'securities')}
      />
      {matches.length === 0 ? (
        <EmptyState title="No security matches">
          <Button
            onClick={() => updateParams({ find: undefined, type: undefined, life: undefined })}
          >
            Show all of them
          </Button>
        </EmptyState>
      ) : (
        <DataTable
          caption="Securities"
          columns={columns}
          choice={choice}
          rows={matches}
          getRowKey={({ symbol }) => symbol}
          sort={params.sort ?? 'symbol'}
          onSort={(sort) => updateParams({ sort: sort === 'symbol' ? undefined : sort })}
        />
      )}
    </Panel>
  );
}

interface SecuritySearchBarProps {
  readonly entry: DatasetEntry;
  readonly type: string | undefined;
  readonly life: keyof typeof LIFE_OPTIONS;
  readonly example: string | undefined;
  readonly status: string;
}

function SecuritySearchBar({ entry, type, life, example, status }: SecuritySearchBarProps) {
  const { meaning, values } = getField(entry, 'type');
  return (
    <search class="search-bar row">
      <label>
        Symbol, ISIN or name
        <input
          type="search"
          autocomplete="off"
          spellcheck={false}
          placeholder={example}
          value={useViewRoute().params.find ?? ''}
          onInput={({ currentTarget }) => updateParamsContinuously({ find: currentTarget.value })}
        />
      </label>
      <SegmentedControl
        label={meaning}
        options={listTypeOptions(values ?? [], 'All types')}
        value={type ?? 'all'}
        param="type"
      />
      <SegmentedControl
        label="Outstanding or matured"
        options={LIFE_OPTIONS}
        value={life}
        param="life"
      />
      <span class="status-message" role="status">
        {status}
      </span>
    </search>
  );
}

const LIFE_OPTIONS = { all: 'All', live: 'Outstanding', matured: 'Matured' };

function createSecurityColumns(entry: DatasetEntry): DataTableColumn<QuotedSecurity>[] {
  const describe = (name: 'symbol' | 'isin' | 'type' | 'maturityDate') =>
    getField(entry, name).meaning;
  const createSortedColumn = (
    name: string,
    title: string,
    getText: (security: QuotedSecurity) => string,
  ) => ({ ...createTextColumn(name, title, getText), sortValue: getText });
  const createDayColumn = (name: 'maturityDate' | 'firstDate' | 'lastDate', title: string) => ({
    ...createSortedColumn(name, title, (security) => security[name]),
    renderCell: (security: QuotedSecurity) => <time>{formatDayLabel(security[name])}</time>,
  });
  return [
    {
      ...createSortedColumn('symbol', 'Symbol', ({ symbol }) => symbol),
      hint: describe('symbol'),
      renderCell: ({ symbol }) => (
        <ViewLink view="security" params={{ symbol }}>
          {symbol}
        </ViewLink>
      ),
    },
    createSortedColumn('name', 'Name', ({ name }) => name ?? ''),
    createSortedColumn('life', 'Life', (security) =>
      hasMatured(security, entry) ? 'matured' : 'outstanding',
    ),
    { ...createSortedColumn('isin', 'ISIN', ({ isin }) => isin), hint: describe('isin') },
    {
      ...createSortedColumn('type', describe('type'), ({ type }) => type),
      renderCell: ({ type }) => formatType(type),
    },
    createDayColumn('maturityDate', describe('maturityDate')),
    createDayColumn('firstDate', 'First quote'),
    createDayColumn('lastDate', 'Last quote'),
  ];
}
