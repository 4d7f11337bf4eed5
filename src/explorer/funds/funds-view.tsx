import { useMemo } from 'preact/hooks';
import { useDataset } from '../api/explorer-context.ts';
import type { DatasetEntry } from '../api/types.ts';
import { useQuery } from '../api/use-query.ts';
import { useColumnChoice } from '../components/column-choice.tsx';
import { createTextColumn, DataTable, type DataTableColumn } from '../components/data-table.tsx';
import { LateNote } from '../components/late-note.tsx';
import { EmptyState, Panel, QueryView } from '../components/panel.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { formatMatches } from '../formatting/numbers.ts';
import { updateParamsContinuously, useViewRoute, ViewLink } from '../routing/view-route.tsx';
import { FundPage } from './fund-page.tsx';
import { createFundNamer, FUND_LIST_REQUEST, type ListedFund } from './fund-record.ts';

/** The list of all funds, one fund, or two side by side. */
export function FundsView() {
  const entry = useDataset('fund');
  const { fund, with: other } = useViewRoute().params;
  if (fund === undefined) return <FundListPage entry={entry} />;
  const ids = other === undefined || other === fund ? [fund] : [fund, other];
  // The key keeps the data of one fund from appearing under the name of another.
  return <FundPage key={ids.join()} entry={entry} ids={ids} />;
}

function FundListPage({ entry }: { readonly entry: DatasetEntry }) {
  const query = useQuery<readonly ListedFund[]>(FUND_LIST_REQUEST);
  return (
    <>
      <h1>Funds</h1>
      <p class="description">{entry.meaning}</p>
      <LateNote entry={entry} />
      <Panel
        title="All funds"
        class="text-table"
        exported={{ request: FUND_LIST_REQUEST, fileName: 'funds' }}
      >
        <QueryView query={query} subject="the funds">
          {(funds) => <FundSearch funds={funds} />}
        </QueryView>
      </Panel>
    </>
  );
}

function FundSearch({ funds }: { readonly funds: readonly ListedFund[] }) {
  const { params } = useViewRoute();
  const search = (params.q ?? '').trim().toLowerCase();
  const matches = funds.filter(({ fund_id, frequency, name, category, manager }) =>
    [fund_id, frequency, name, category, manager].some((text) =>
      text?.toLowerCase().includes(search),
    ),
  );
  const columns = useMemo(() => createFundColumns(createFundNamer(funds)), [funds]);
  const { choice } = useColumnChoice('funds', columns);
  if (funds.length === 0) {
    return (
      <EmptyState title="No fund has been published yet">
        Look at a later instant, or load some with <code>npx tenor load</code>.
      </EmptyState>
    );
  }
  return (
    <>
      <div class="input-row search-bar">
        <label for="fund-search-bar">Find a fund</label>
        <input
          id="fund-search-bar"
          type="search"
          placeholder="Name, category or manager"
          value={params.q ?? ''}
          onInput={({ currentTarget }) => updateParamsContinuously({ q: currentTarget.value })}
        />
        <span class="muted" role="status">
          {formatMatches(matches.length, funds.length, 'funds')}
        </span>
      </div>
      {matches.length === 0 ? (
        <EmptyState title={`No fund matches “${params.q}”`}>
          Try fewer characters, or <ViewLink view="funds">see all of them</ViewLink>.
        </EmptyState>
      ) : (
        <DataTable
          caption="Funds"
          columns={columns}
          choice={choice}
          rows={matches}
          getRowKey={({ fund_id }) => fund_id}
          sort={params.sort}
          onSort={(sort) => updateParamsContinuously({ sort })}
        />
      )}
    </>
  );
}

function createFundColumns(nameFund: (id: string) => string): DataTableColumn<ListedFund>[] {
  const createPeriodColumn = (name: 'firstPeriod' | 'lastPeriod', title: string, key: string) => ({
    name: key,
    title,
    renderCell: ({ [name]: period }: ListedFund) =>
      period && <span title={formatDayLabel(period.date)}>{period.label}</span>,
    sortValue: (fund: ListedFund) => fund[name]?.date,
  });
  const createSortedColumn = (name: 'category' | 'manager' | 'frequency', title: string) => ({
    ...createTextColumn(name, title, (fund: ListedFund) => fund[name] ?? ''),
    sortValue: (fund: ListedFund) => fund[name] ?? undefined,
  });
  return [
    {
      name: 'fund',
      title: 'Fund',
      isText: true,
      renderCell: ({ fund_id }) => (
        <ViewLink view="funds" params={{ fund: fund_id }} title={fund_id}>
          {nameFund(fund_id)}
        </ViewLink>
      ),
      sortValue: ({ fund_id }) => nameFund(fund_id),
    },
    createSortedColumn('category', 'Category'),
    createSortedColumn('manager', 'Manager'),
    createPeriodColumn('lastPeriod', 'Last period', 'last'),
    createSortedColumn('frequency', 'Reports'),
    createPeriodColumn('firstPeriod', 'First period', 'first'),
  ];
}
