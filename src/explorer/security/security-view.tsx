import { useMemo } from 'preact/hooks';
import { useDataset, useExplorer } from '../api/explorer-context.ts';
import type { DatasetEntry } from '../api/types.ts';
import { useQuery } from '../api/use-query.ts';
import { createSortedColumn, type DataTableColumn } from '../components/data-table.tsx';
import { EmptyState, QueryView } from '../components/panel.tsx';
import { SearchList } from '../components/search-list.tsx';
import { SegmentedControl } from '../components/segmented-control.tsx';
import { ExportPanel } from '../export/export-panel.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { parseOption } from '../routing/parse-option.ts';
import { useViewRoute, ViewLink } from '../routing/view-route.tsx';
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
  const { meaning, values } = getField(entry, 'type');
  const type = values?.find((name) => name === params.type);
  const life = parseOption(LIFE_OPTIONS, params.life);
  const isMatured = life === 'all' ? undefined : life === 'matured';
  const matches = filterSecurities(securities, { text: params.find, type, isMatured }, entry);
  const columns = useMemo(() => createSecurityColumns(entry), [entry]);
  if (securities.length === 0) {
    return (
      <EmptyState title="There are no quotes yet">
        Load some with <code>npx tenor load quotes FILE</code>; they then appear here.
      </EmptyState>
    );
  }
  return (
    <ExportPanel
      title="All securities"
      exported={{ request: { path: '/2.0/bnb/securities' }, fileName: 'securities' }}
    >
      <SearchList
        nouns={['security', 'securities']}
        count={securities.length}
        matches={matches}
        columns={columns}
        getRowKey={({ symbol }) => symbol}
        defaultSort="symbol"
        reset={{ type: undefined, life: undefined }}
        label="Symbol, ISIN or name"
        placeholder={securities[0]?.symbol}
      >
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
      </SearchList>
    </ExportPanel>
  );
}

const LIFE_OPTIONS = { all: 'All', live: 'Outstanding', matured: 'Matured' };

function createSecurityColumns(entry: DatasetEntry): DataTableColumn<QuotedSecurity>[] {
  const describe = (name: 'symbol' | 'isin' | 'type' | 'maturityDate') =>
    getField(entry, name).meaning;
  const createDayColumn = (name: 'maturityDate' | 'firstDate' | 'lastDate', title: string) =>
    createSortedColumn<QuotedSecurity>(
      name,
      title,
      (security) => security[name],
      (security) => <time>{formatDayLabel(security[name])}</time>,
    );
  const symbolColumn = createSortedColumn<QuotedSecurity>(
    'symbol',
    'Symbol',
    ({ symbol }) => symbol,
    ({ symbol }) => (
      <ViewLink view="security" params={{ symbol }}>
        {symbol}
      </ViewLink>
    ),
  );
  return [
    { ...symbolColumn, hint: describe('symbol') },
    createSortedColumn('name', 'Name', ({ name }) => name ?? ''),
    createSortedColumn('life', 'Life', (security) =>
      hasMatured(security, entry) ? 'matured' : 'outstanding',
    ),
    { ...createSortedColumn('isin', 'ISIN', ({ isin }) => isin), hint: describe('isin') },
    createSortedColumn(
      'type',
      describe('type'),
      ({ type }) => type,
      ({ type }) => formatType(type),
    ),
    createDayColumn('maturityDate', describe('maturityDate')),
    createDayColumn('firstDate', 'First quote'),
    createDayColumn('lastDate', 'Last quote'),
  ];
}
