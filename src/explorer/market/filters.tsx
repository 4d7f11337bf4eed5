import { go, slide } from '../address/place.ts';
import { Choices } from '../parts/choices.tsx';
import { typesWords } from '../quotes/quote.ts';
import { type Entry, fieldOf } from '../service/catalogue.ts';
import { SPANS, type Wanted } from './choices.ts';

/** Which quotes are shown: by type, by maturity, by symbol or ISIN. */
export function Filters({ entry, wanted }: { readonly entry: Entry; readonly wanted: Wanted }) {
  const types = fieldOf(entry, 'type')?.values ?? [];
  const options = ['all', ...types].map((key) => ({
    key,
    text: key === 'all' ? 'All' : typesWords(key),
  }));
  return (
    <search class="filters">
      <Choices
        label="Type"
        options={options}
        chosen={wanted.type}
        onChoose={(type) => go({ type: type === 'all' ? '' : type })}
      />
      <select
        aria-label="Maturity"
        value={wanted.years}
        onChange={({ currentTarget }) => go({ years: currentTarget.value })}
      >
        {SPANS.map(({ key, text }) => (
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
        onInput={({ currentTarget }) => slide({ find: currentTarget.value })}
      />
    </search>
  );
}
