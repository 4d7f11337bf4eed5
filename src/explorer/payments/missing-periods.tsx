import { pluralize } from '../breakdown/checks-panel.tsx';
import { findMissingPeriods } from '../breakdown/timeline.ts';
import type { SeriesData } from './series-data.ts';

const MAX_LISTED_PERIODS = 6;

/** Says whether periods are missing between the first and the last, and which. */
export function MissingPeriods({ series }: { readonly series: SeriesData }) {
  const { labels, periodNoun, periodsPerYear } = series;
  if (periodsPerYear === undefined) return null;
  const missing = findMissingPeriods(series);
  const span = `${labels[0]} to ${labels.at(-1)}`;
  if (missing.length === 0) {
    return (
      <p class="check-passed">
        Every {periodNoun} is there: {span}
      </p>
    );
  }
  const more = missing.length - MAX_LISTED_PERIODS;
  return (
    <p class="warning">
      {pluralize(missing.length, periodNoun)} of {span} {missing.length === 1 ? 'is' : 'are'}{' '}
      missing: {missing.slice(0, MAX_LISTED_PERIODS).join(', ')}
      {more > 0 && ` and ${more} more`}. They are left empty in the chart.
    </p>
  );
}
