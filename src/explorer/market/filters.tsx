import { updateParams, updateParamsContinuously } from '../address/place.ts';
import { SegmentedControl } from '../parts/choices.tsx';
import { formatTypePlural } from '../quotes/quote.ts';
import { type DatasetEntry, findField } from '../service/catalogue.ts';
import { MATURITY_OPTIONS, type MarketFilters } from './choices.ts';

/** Which quotes are shown: by type, by maturity, by symbol or ISIN. */
export function MarketFilterBar({
  entry,
  wanted,
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
        chosen={wanted.type}
        onChoose={(type) => updateParams({ type: type === 'all' ? '' : type })}
      />
      <select
        aria-label="Maturity"
        value={wanted.years}
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
        value={wanted.find}
        onInput={({ currentTarget }) => updateParamsContinuously({ find: currentTarget.value })}
      />
    </search>
  );
}
