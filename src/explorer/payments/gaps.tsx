import { counted } from '../composition/checks.tsx';
import { missingIn } from '../composition/timeline.ts';
import type { Series } from './series.ts';

const MOST_NAMED = 6;

/** Says whether periods are missing between the first and the last, and which. */
export function Gaps({ series }: { readonly series: Series }) {
  const { labels, noun, perYear } = series;
  if (perYear === undefined) return null;
  const missing = missingIn(series);
  const span = `${labels[0]} to ${labels.at(-1)}`;
  if (missing.length === 0) {
    return (
      <p class="kept">
        Every {noun} is there: {span}
      </p>
    );
  }
  const more = missing.length - MOST_NAMED;
  return (
    <p class="warning">
      {counted(missing.length, noun)} of {span} {missing.length === 1 ? 'is' : 'are'} missing:{' '}
      {missing.slice(0, MOST_NAMED).join(', ')}
      {more > 0 && ` and ${more} more`}. They are left empty in the chart.
    </p>
  );
}
