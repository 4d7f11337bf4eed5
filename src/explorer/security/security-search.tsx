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
  const { at } = useViewRoute();
  const newest = entry.coverage.last ?? '';
  const columns = useMemo(() => createSecurityColumns(entry, newest), [entry, newest]);
  const types = getField(entry, 'type').values ?? [];
  const type = types.find((each) => each === at.type);
  const life = MATURITY_STATUS_OPTIONS.find(({ key }) => key !== 'all' && key === at.life)?.key as
    | MaturityStatus
    | undefined;
  const found = filterSecurities(securities, { text: at.find, type, life }, newest);
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
          question={{ path: '/2.0/bnb/securities' }}
          name="securities"
          title="Securities"
        />
      }
    >
      <search class="finder">
        <label>
          Symbol or ISIN
          <input
            type="search"
            autocomplete="off"
            spellcheck={false}
            placeholder={securities[0]?.symbol}
            value={at.find ?? ''}
            onInput={({ currentTarget }) => updateParamsContinuously({ find: currentTarget.value })}
          />
        </label>
        <SegmentedControl
          label={getField(entry, 'type').meaning}
          options={['all', ...types].map((key) => ({
            key,
            text: key === 'all' ? 'All types' : formatTypePlural(key),
          }))}
          chosen={type ?? 'all'}
          onChoose={(key) => updateParams({ type: key === 'all' ? undefined : key })}
        />
        <SegmentedControl
          label="Live or matured"
          options={MATURITY_STATUS_OPTIONS}
          chosen={life ?? 'all'}
          onChoose={(key) => updateParams({ life: key === 'all' ? undefined : key })}
        />
        <span class="told" role="status">
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
          keyOf={({ symbol }) => symbol}
          sort={at.sort ?? 'symbol'}
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
    cell: (security: SecuritySummary) => formatDayLabel(security[name]),
    by: (security: SecuritySummary) => security[name],
  });
  return [
    {
      name: 'symbol',
      title: 'Symbol',
      hint: getField(entry, 'symbol').meaning,
      isText: true,
      cell: ({ symbol }) => (
        <Link to="security" at={{ symbol }}>
          {symbol}
        </Link>
      ),
      by: ({ symbol }) => symbol,
    },
    {
      name: 'life',
      title: 'Live or matured',
      isText: true,
      cell: (security) => (hasMaturedBy(security, newest) ? 'matured' : 'live'),
      by: (security) => (hasMaturedBy(security, newest) ? 'matured' : 'live'),
    },
    {
      name: 'isin',
      title: 'ISIN',
      hint: getField(entry, 'isin').meaning,
      isText: true,
      cell: ({ isin }) => isin,
      by: ({ isin }) => isin,
    },
    {
      name: 'type',
      title: getField(entry, 'type').meaning,
      isText: true,
      cell: ({ type }) => formatType(type),
      by: ({ type }) => type,
    },
    dayColumn('maturityDate', getField(entry, 'maturityDate').meaning),
    dayColumn('firstDate', 'First quote'),
    dayColumn('lastDate', 'Last quote'),
  ];
}
