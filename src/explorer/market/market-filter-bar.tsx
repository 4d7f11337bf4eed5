import { type DatasetEntry, findField } from '../api/types.ts';
import { SegmentedControl } from '../components/segmented-control.tsx';
import { updateParams, updateParamsContinuously } from '../routing/view-route.ts';
import { formatTypePlural } from '../security/quote.ts';
import { MATURITY_OPTIONS, type MarketFilters } from './market-filters.ts';

/** Which quotes are shown: by type, by maturity, by symbol or ISIN. */
export function MarketFilterBar({
  entry,
  wanted: filters,
}: {
  readonly entry: DatasetEntry;
  readonly wanted: MarketFilters;
}) {
  const types = findField(entry, 'type')?.values ?? [];
  const options = ['all', ...types].map((key) => ({
    key,
    text: key === 'all' ? 'All' : formatTypePlural(key),
  }));
  return (
    <search class="filters">
      <SegmentedControl
        label="Type"
        options={options}
        value={filters.type}
        onChange={(type) => updateParams({ type: type === 'all' ? '' : type })}
      />
      <select
        aria-label="Maturity"
        value={filters.maturityRange}
        onChange={({ currentTarget }) => updateParams({ years: currentTarget.value })}
      >
        {MATURITY_OPTIONS.map(({ key, text }) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
      <input
        type="search"
        aria-label="Symbol or ISIN"
        placeholder="Symbol or ISIN"
        value={filters.search}
        onInput={({ currentTarget }) => updateParamsContinuously({ find: currentTarget.value })}
      />
    </search>
  );
}
