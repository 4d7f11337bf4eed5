import { useDataset } from '../api/explorer-context.ts';
import type { DatasetEntry } from '../api/types.ts';
import { KEEP_PREVIOUS, useQueries, useQuery } from '../api/use-query.ts';
import type { Palette } from '../breakdown/breakdown-components.ts';
import { Legend } from '../charts/legend.tsx';
import { createTextColumn, DataTable, type TableColumn } from '../components/data-table.tsx';
import { LateNote } from '../components/late-note.tsx';
import { EmptyState, Panel, QueryView } from '../components/panel.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { formatNumber, formatWithUnit, type UnitInfo } from '../formatting/numbers.ts';
import { Link, updateParamsContinuously, useViewRoute } from '../routing/view-route.tsx';
import { assignClassColors, buildMix } from './build-allocation.ts';
import { FundPage } from './fund-page.tsx';
import {
  createFundNamer,
  createFundRequest,
  FUND_LIST_REQUEST,
  type FundAllocationRecord,
  getShareUnit,
  type ListedFund,
} from './fund-record.ts';

/** The list of all funds, one fund, or two side by side. */
export function FundsView() {
  const entry = useDataset('fund');
  const { fund, with: other } = useViewRoute().params;
  if (fund === undefined) return <FundListPage entry={entry} />;
  const otherFund = other === fund ? undefined : other;
  // The key keeps the data of one fund from appearing under the name of another.
  return <FundPage key={`${fund} ${otherFund}`} {...{ entry, fund, otherFund }} />;
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
        class="fund-list"
        exported={{ request: FUND_LIST_REQUEST, fileName: 'funds' }}
      >
        <QueryView query={query} subject="the funds">
          {(funds) => <FundSearch entry={entry} funds={funds} />}
        </QueryView>
      </Panel>
    </>
  );
}

function FundSearch({ entry, funds }: { entry: DatasetEntry; funds: readonly ListedFund[] }) {
  const { params } = useViewRoute();
  const search = (params.q ?? '').trim().toLowerCase();
  const matches = funds.filter(({ fund_id, frequency, name, category, manager }) =>
    [fund_id, frequency, name, category, manager].some((text) =>
      text?.toLowerCase().includes(search),
    ),
  );
  const mixes = useNewestMixes(entry, matches);
  const { components } = mixes.palette;
  if (funds.length === 0) {
    return (
      <EmptyState title="No fund has been published yet">
        Look at a later instant, or load some with <code>npx tenor load</code>.
      </EmptyState>
    );
  }
  return (
    <>
      {renderSearchBar(
        params.q ?? '',
        `${formatNumber(matches.length, 0)} of ${formatNumber(funds.length, 0)}`,
      )}
      {matches.length === 0 ? (
        <EmptyState title={`No fund matches “${params.q}”`}>
          Try fewer characters, or <Link view="funds">see all of them</Link>.
        </EmptyState>
      ) : (
        <DataTable
          caption="Funds"
          columns={createFundColumns(createFundNamer(funds), mixes)}
          rows={matches}
          getRowKey={({ fund_id }) => fund_id}
          sort={params.sort}
          onSort={(sort) => updateParamsContinuously({ sort })}
        />
      )}
      {matches.length > 0 && components.length > 0 && (
        <Legend items={components.map(({ title: name, colorIndex }) => ({ name, colorIndex }))} />
      )}
    </>
  );
}

/** Each mix is a request of its own: more funds than these have no picture. */
const MAX_MIXES = 60;

/** The records of the first funds, in colours that they share; empty until they are there. */
function useNewestMixes(entry: DatasetEntry, funds: readonly ListedFund[]) {
  const ids = funds
    .filter(({ frequency }) => frequency !== null)
    .slice(0, MAX_MIXES)
    .map(({ fund_id }) => fund_id);
  const { data = [] } = useQueries<FundAllocationRecord>(
    ids.map((id) => createFundRequest(entry, id)),
    KEEP_PREVIOUS,
  );
  const unitInfo = getShareUnit(entry);
  return {
    records: new Map(data.map((record) => [record.fund_id, record])),
    palette: assignClassColors(data, unitInfo),
    unitInfo,
  };
}

function renderSearchBar(text: string, status: string) {
  return (
    <div class="input-row search-bar">
      <label for="fund-search-bar">Find a fund</label>
      <input
        id="fund-search-bar"
        type="search"
        placeholder="Part of its name, identifier, category or manager"
        value={text}
        onInput={({ currentTarget }) => updateParamsContinuously({ q: currentTarget.value })}
      />
      <span class="muted" role="status">
        {status}
      </span>
    </div>
  );
}

function createFundColumns(
  nameFund: (id: string) => string,
  { records, palette, unitInfo }: ReturnType<typeof useNewestMixes>,
): TableColumn<ListedFund>[] {
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
        <Link view="funds" params={{ fund: fund_id }} title={fund_id}>
          {nameFund(fund_id)}
        </Link>
      ),
      sortValue: ({ fund_id }) => nameFund(fund_id),
    },
    createTextColumn('mix', 'Newest mix', ({ fund_id }) => {
      const record = records.get(fund_id);
      return record && renderMix(record, palette, unitInfo);
    }),
    createSortedColumn('category', 'Category'),
    createSortedColumn('manager', 'Manager'),
    createSortedColumn('frequency', 'Reports'),
    createPeriodColumn('firstPeriod', 'First period', 'first'),
    createPeriodColumn('lastPeriod', 'Last period', 'last'),
  ];
}

const WIDTH = 120;
const HEIGHT = 14;

/** A small picture of a fund's newest mix. */
function renderMix(record: FundAllocationRecord, palette: Palette, unitInfo: UnitInfo) {
  const segments = buildMix(record, palette);
  const text = segments
    .map(({ label, share }) => `${label} ${formatWithUnit(share, unitInfo)}`)
    .join(', ');
  const label = `${record.periods[0]?.label ?? ''}: ${text}`;
  return (
    <svg class="mix-bar" width={WIDTH} height={HEIGHT} role="img" aria-label={label}>
      <title>{label}</title>
      {segments.map((segment) => (
        <rect
          key={segment.label}
          class={`color-${segment.colorIndex}`}
          x={segment.start * WIDTH}
          width={segment.width * WIDTH}
          height={HEIGHT}
        />
      ))}
    </svg>
  );
}
