import { useMemo } from 'preact/hooks';
import type { DatasetEntry } from '../api/types.ts';
import { DataTable, type TableColumn } from '../components/data-table.tsx';
import { Panel } from '../components/panel.tsx';
import { EmptyState } from '../components/query-view.tsx';
import { SegmentedControl } from '../components/segmented-control.tsx';
import { ExportMenu } from '../export/export-menu.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { Link } from '../routing/link.tsx';
import { updateParams, updateParamsContinuously, useViewRoute } from '../routing/view-route.ts';
import { formatType, formatTypePlural, getField, type SecuritySummary } from './quote.ts';
import { filterSecurities, hasMaturedBy, type MaturityStatus } from './search-securities.ts';

interface SecuritySearchProps {
  readonly entry: DatasetEntry;
  readonly securities: readonly SecuritySummary[];
}

const MATURITY_STATUS_OPTIONS = [
  { key: 'all', text: 'Live and matured' },
  { key: 'live', text: 'Live' },
  { key: 'matured', text: 'Matured' },
] as const;

/** Finds a security among all that there ever were quotes of. */
export function SecuritySearch({ entry, securities }: SecuritySearchProps) {
  const { params } = useViewRoute();
  const newest = entry.coverage.last ?? '';
  const columns = useMemo(() => createSecurityColumns(entry, newest), [entry, newest]);
  const types = getField(entry, 'type').values ?? [];
  const type = types.find((each) => each === params.type);
  const life = MATURITY_STATUS_OPTIONS.find(({ key }) => key !== 'all' && key === params.life)
    ?.key as MaturityStatus | undefined;
  const found = filterSecurities(securities, { text: params.find, type, status: life }, newest);
  if (securities.length === 0) {
    return (
      <EmptyState title="There are no quotes yet">
        Load some with <code>npx tenor load quotes FILE</code>: what is published is shown here by
        itself.
      </EmptyState>
    );
  }
  return (
    <Panel
      title="Every security ever quoted"
      tools={
        <ExportMenu
          request={{ path: '/2.0/bnb/securities' }}
          fileName="securities"
          title="Securities"
        />
      }
    >
      <search class="search-bar">
        <label>
          Symbol or ISIN
          <input
            type="search"
            autocomplete="off"
            spellcheck={false}
            placeholder={securities[0]?.symbol}
            value={params.find ?? ''}
            onInput={({ currentTarget }) => updateParamsContinuously({ find: currentTarget.value })}
          />
        </label>
        <SegmentedControl
          label={getField(entry, 'type').meaning}
          options={['all', ...types].map((key) => ({
            key,
            text: key === 'all' ? 'All types' : formatTypePlural(key),
          }))}
          value={type ?? 'all'}
          onChange={(key) => updateParams({ type: key === 'all' ? undefined : key })}
        />
        <SegmentedControl
          label="Live or matured"
          options={MATURITY_STATUS_OPTIONS}
          value={life ?? 'all'}
          onChange={(key) => updateParams({ life: key === 'all' ? undefined : key })}
        />
        <span class="status-message" role="status">
          {found.length} of {securities.length}
        </span>
      </search>
      {found.length === 0 ? (
        <EmptyState title="No security matches">
          <button
            type="button"
            onClick={() => updateParams({ find: undefined, type: undefined, life: undefined })}
          >
            Show all of them
          </button>
        </EmptyState>
      ) : (
        <DataTable
          caption="Securities"
          columns={columns}
          rows={found}
          getRowKey={({ symbol }) => symbol}
          sort={params.sort ?? 'symbol'}
          onSort={(sort) => updateParams({ sort: sort === 'symbol' ? undefined : sort })}
        />
      )}
    </Panel>
  );
}

function createSecurityColumns(
  entry: DatasetEntry,
  newest: string,
): TableColumn<SecuritySummary>[] {
  const dayColumn = (name: 'maturityDate' | 'firstDate' | 'lastDate', title: string) => ({
    name,
    title,
    isText: true,
    renderCell: (security: SecuritySummary) => formatDayLabel(security[name]),
    sortValue: (security: SecuritySummary) => security[name],
  });
  return [
    {
      name: 'symbol',
      title: 'Symbol',
      hint: getField(entry, 'symbol').meaning,
      isText: true,
      renderCell: ({ symbol }) => (
        <Link view="security" params={{ symbol }}>
          {symbol}
        </Link>
      ),
      sortValue: ({ symbol }) => symbol,
    },
    {
      name: 'life',
      title: 'Live or matured',
      isText: true,
      renderCell: (security) => (hasMaturedBy(security, newest) ? 'matured' : 'live'),
      sortValue: (security) => (hasMaturedBy(security, newest) ? 'matured' : 'live'),
    },
    {
      name: 'isin',
      title: 'ISIN',
      hint: getField(entry, 'isin').meaning,
      isText: true,
      renderCell: ({ isin }) => isin,
      sortValue: ({ isin }) => isin,
    },
    {
      name: 'type',
      title: getField(entry, 'type').meaning,
      isText: true,
      renderCell: ({ type }) => formatType(type),
      sortValue: ({ type }) => type,
    },
    dayColumn('maturityDate', getField(entry, 'maturityDate').meaning),
    dayColumn('firstDate', 'First quote'),
    dayColumn('lastDate', 'Last quote'),
  ];
}
