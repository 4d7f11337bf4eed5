import type { DatasetEntry, RevisionEntry } from '../api/types.ts';

/** The part of the page's state that a pinned URL depends on. */
interface PinnedState {
  readonly api: { readonly asOf: string | undefined };
  readonly catalogue: readonly Pick<DatasetEntry, 'shape' | 'coverage'>[];
  /** Newest first. */
  readonly revisions: readonly Pick<RevisionEntry, 'publishedAt'>[];
}

/** A URL that shows the same figures for ever: as of the newest revision, with its date. */
export function buildPinnedUrl(href: string, { api, catalogue, revisions }: PinnedState): string {
  const url = new URL(href);
  url.hash = '';
  const instant = api.asOf ?? revisions[0]?.publishedAt;
  if (instant !== undefined) url.searchParams.set('asof', instant);
  const isMarket = (url.searchParams.get('view') ?? 'market') === 'market';
  const newestDay = catalogue.find(({ shape }) => shape === 'quotes')?.coverage.last;
  if (isMarket && newestDay && !url.searchParams.has('date')) {
    url.searchParams.set('view', 'market');
    url.searchParams.set('date', newestDay);
  }
  return url.href;
}
