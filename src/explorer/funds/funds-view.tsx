import { useMemo } from 'preact/hooks';
import { useDataset } from '../api/explorer-context.ts';
import type { DatasetEntry } from '../api/types.ts';
import { useQuery } from '../api/use-query.ts';
import { createSortedColumn, type DataTableColumn } from '../components/data-table.tsx';
import { LateNote } from '../components/late-note.tsx';
import { EmptyState, QueryView } from '../components/panel.tsx';
import { SearchList } from '../components/search-list.tsx';
import { ExportPanel } from '../export/export-panel.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { useViewRoute, ViewLink } from '../routing/view-route.tsx';
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
      <ExportPanel
        title="All funds"
        class="text-table"
        exported={{ request: FUND_LIST_REQUEST, fileName: 'funds' }}
      >
        <QueryView query={query} subject="the funds">
          {(funds) => <FundSearch funds={funds} />}
        </QueryView>
      </ExportPanel>
    </>
  );
}

function FundSearch({ funds }: { readonly funds: readonly ListedFund[] }) {
  const { find = '' } = useViewRoute().params;
  const matches = funds.filter(({ fund_id, frequency, name, category, manager }) =>
    [fund_id, frequency, name, category, manager].some((text) =>
      text?.toLowerCase().includes(find.trim().toLowerCase()),
    ),
  );
  const columns = useMemo(() => createFundColumns(createFundNamer(funds)), [funds]);
  if (funds.length === 0) {
    return (
      <EmptyState title="No fund has been published yet">
        Look at a later instant, or load some with <code>npx tenor load</code>.
      </EmptyState>
    );
  }
  return (
    <SearchList
      nouns={['fund', 'funds']}
      count={funds.length}
      matches={matches}
      columns={columns}
      getRowKey={({ fund_id }) => fund_id}
      label="Find a fund"
      placeholder="Name, category or manager"
    />
  );
}

function createFundColumns(nameFund: (id: string) => string): DataTableColumn<ListedFund>[] {
  const createPeriodColumn = (name: 'firstPeriod' | 'lastPeriod', title: string, key: string) =>
    createSortedColumn<ListedFund>(
      key,
      title,
      (fund) => fund[name]?.date,
      ({ [name]: period }) =>
        period && <span title={formatDayLabel(period.date)}>{period.label}</span>,
    );
  const createColumn = (name: 'category' | 'manager' | 'frequency', title: string) =>
    createSortedColumn<ListedFund>(name, title, (fund) => fund[name] ?? undefined);
  return [
    createSortedColumn(
      'fund',
      'Fund',
      ({ fund_id }) => nameFund(fund_id),
      ({ fund_id }) => (
        <ViewLink view="funds" params={{ fund: fund_id }} title={fund_id}>
          {nameFund(fund_id)}
        </ViewLink>
      ),
    ),
    createColumn('category', 'Category'),
    createColumn('manager', 'Manager'),
    createPeriodColumn('lastPeriod', 'Last period', 'last'),
    createColumn('frequency', 'Reports'),
    createPeriodColumn('firstPeriod', 'First period', 'first'),
  ];
}
