import type { SecuritySummary } from '../../catalogue/operations/discovery.ts';
import { isDay } from '../../shared/calendar.ts';
import { type DatasetEntry, getDatasetTitle, type RevisionEntry } from '../api/types.ts';
import { formatDayLabel } from '../formatting/dates.ts';
import type { ListedFund } from '../funds/fund-record.ts';
import type { View } from '../routing/views.ts';

/** Something that can be found, and where it is. */
export interface FindItem {
  readonly kind: 'View' | 'Day' | 'Security' | 'Fund' | 'Series' | 'Revision';
  readonly title: string;
  readonly detail: string;
  /** More text to find it by. */
  readonly keywords?: string | undefined;
  readonly view: View;
  readonly params?: Readonly<Record<string, string>>;
}

export interface FindSources {
  readonly views: readonly { readonly view: View; readonly title: string }[];
  readonly catalogue: readonly DatasetEntry[];
  readonly revisions: readonly RevisionEntry[];
  /** The newest revision. */
  readonly revision: number;
  readonly securities: readonly SecuritySummary[];
  readonly funds: readonly ListedFund[];
}

/** The content of each view, in words that visitors may look for. */
const VIEW_CONTENTS: Readonly<Record<View, string>> = {
  market: 'Yield curve, key tenors, slopes such as 2s10s, quotes and spreads of a day',
  security: 'Price, yield, spread and duration of a bond or T-bill through time',
  funds: 'Asset allocation: shares of cash, bonds and other classes',
  payments: 'Series of payment statistics, their growth and comparison',
  ledger: 'Revisions, publications and corrections',
};

/** Everything that can be found, in the order in which equal matches are listed. */
export function buildFindItems(sources: FindSources): FindItem[] {
  const { views, catalogue, revisions, securities, funds } = sources;
  return [
    ...views.map(({ view, title }): FindItem => {
      return { kind: 'View', title, detail: VIEW_CONTENTS[view], view };
    }),
    ...catalogue
      .filter(({ shape }) => shape === 'series')
      .map(({ name, title, meaning }): FindItem => {
        const keywords = `${name} ${meaning}`;
        const params = { series: name };
        return { kind: 'Series', title, detail: '', keywords, view: 'payments', params };
      }),
    ...funds.map(({ fund_id: fund, name, category, manager }): FindItem => {
      const texts = { title: name ?? fund, detail: joinTexts(category, manager), keywords: fund };
      return { kind: 'Fund', ...texts, view: 'funds', params: { fund } };
    }),
    ...securities.map(({ symbol, isin, name, issuer }): FindItem => {
      const texts = { title: symbol, detail: joinTexts(name, isin), keywords: issuer ?? undefined };
      return { kind: 'Security', ...texts, view: 'security', params: { symbol } };
    }),
    ...revisions.map((entry) => createRevisionItem(entry, catalogue)),
  ];
}

function joinTexts(...texts: readonly (string | null)[]): string {
  return texts.filter(Boolean).join(', ');
}

function createRevisionItem(
  { revision, dataset, source, publishedAt }: RevisionEntry,
  catalogue: readonly DatasetEntry[],
): FindItem {
  const day = formatDayLabel(publishedAt.slice(0, 10));
  return {
    kind: 'Revision',
    title: `Revision ${revision}`,
    detail: `${getDatasetTitle(catalogue, dataset)}, ${day}`,
    keywords: `${source} ${dataset} ${publishedAt.slice(0, 10)}`,
    view: 'ledger',
    params: { revision: String(revision) },
  };
}

/** The best matches: every word of the text occurs in them, in any letter case. */
export function findItems(
  items: readonly FindItem[],
  text: string,
  { views, revision }: Pick<FindSources, 'views' | 'revision'>,
  max: number,
): FindItem[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const ranked = items.flatMap((item) => {
    const rank = rankItem(item, words);
    return rank === undefined ? [] : { item, rank };
  });
  const matches = ranked.toSorted((a, b) => a.rank - b.rank).map(({ item }) => item);
  const direct = createDirectItems(text.trim(), views, revision);
  const others = matches.filter(({ title }) => direct.every((item) => item.title !== title));
  return [...direct, ...others].slice(0, max);
}

/** Items that the text names exactly: a day of the market, or the number of a revision. */
function createDirectItems(text: string, views: FindSources['views'], newest: number): FindItem[] {
  const isOffered = (name: View) => views.some(({ view }) => view === name);
  if (isDay(text) && isOffered('market')) {
    const title = `Market, ${formatDayLabel(text)}`;
    return [{ kind: 'Day', title, detail: '', view: 'market', params: { date: text } }];
  }
  const number = Number(/^(?:revision\s+|#)?(\d{1,15})$/i.exec(text)?.[1]);
  if (!(number >= 1 && number <= newest)) return [];
  const params = { revision: String(number) };
  return [{ kind: 'Revision', title: `Revision ${number}`, detail: '', view: 'ledger', params }];
}

/** The lower the better; undefined where a word does not occur. */
function rankItem({ title, detail, keywords = '' }: FindItem, words: readonly string[]) {
  const name = title.toLowerCase();
  const all = `${name} ${detail} ${keywords}`.toLowerCase();
  if (!words.every((word) => all.includes(word))) return undefined;
  const [first = ''] = words;
  if (name === words.join(' ')) return 0;
  if (name.startsWith(first)) return 1;
  if (words.every((word) => name.includes(word))) return 2;
  return 3;
}
