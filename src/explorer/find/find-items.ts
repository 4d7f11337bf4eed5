import type { SecuritySummary } from '../../operations/securities/securities-operation.ts';
import { isDay } from '../../shared/calendar.ts';
import { type DatasetEntry, getDatasetTitle, type RevisionEntry } from '../api/types.ts';
import { formatChoices, parseChoices } from '../datasets/dimensions.ts';
import { formatDayLabel } from '../formatting/dates.ts';
import type { ListedFund } from '../funds/fund-record.ts';
import { describeKeyRate, KEY_RATES, type KeyRate } from '../market/key-rates.ts';
import type { ViewName } from '../routing/views.ts';

/** Something that can be found, and its location. */
interface FindItem {
  readonly kind: 'View' | 'Day' | 'Rate' | 'Security' | 'Fund' | 'Series' | 'Revision';
  readonly title: string;
  readonly detail: string;
  readonly keywords?: string | undefined;
  /** An identifier: text equal to it means this item. */
  readonly code?: string | undefined;
  /** Whether it is a matured security. */
  readonly isMatured?: boolean;
  readonly view: ViewName;
  readonly params?: Readonly<Record<string, string>>;
}

export interface FindSources {
  readonly views: readonly { readonly view: ViewName; readonly title: string }[];
  readonly catalogue: readonly DatasetEntry[];
  readonly revisions: readonly RevisionEntry[];
  /** The newest revision. */
  readonly revision: number;
  readonly securities: readonly SecuritySummary[];
  readonly funds: readonly ListedFund[];
}

/** The content of each view, in words that visitors may search for. */
const VIEW_CONTENTS: Readonly<Record<ViewName, string>> = {
  market: 'Yield curve, key tenors, slopes such as 2s10s, quotes and spreads of a day',
  security: 'Price, yield, spread and duration of a bond or T-bill over time',
  portfolio: 'Value, key-rate durations, cash flows and shifts of positions',
  funds: 'Asset allocation: shares of cash, bonds and other classes',
  payments: 'Series and datasets, their growth and comparison',
  ledger: 'Revisions, publications and corrections',
};

/** Everything that can be found, in the order in which equal matches are listed. */
export function buildFindItems(sources: FindSources): FindItem[] {
  const { views, catalogue, revisions, securities, funds } = sources;
  const newestDay = catalogue.find(({ shape }) => shape === 'quotes')?.coverage?.last ?? '';
  return [
    ...views.map(({ view, title }): FindItem => {
      return { kind: 'View', title, detail: VIEW_CONTENTS[view], view };
    }),
    ...(views.some(({ view }) => view === 'market') ? KEY_RATES.map(createRateItem) : []),
    ...catalogue
      .filter(({ shape }) => shape === 'series')
      .flatMap((entry): FindItem[] => {
        const { name, title, meaning } = entry;
        const texts = { title, detail: '', keywords: meaning, code: name };
        const params = { series: name };
        return [{ kind: 'Series', ...texts, view: 'payments', params }, ...createCodeItems(entry)];
      }),
    ...funds.map(({ fund_id: fund, name, category, manager }): FindItem => {
      const texts = { title: name ?? fund, detail: joinTexts(category, manager), code: fund };
      return { kind: 'Fund', ...texts, view: 'funds', params: { fund } };
    }),
    ...sortByAge(securities).map((security): FindItem => {
      const { symbol, isin, name, issuer, maturityDate } = security;
      const texts = { title: symbol, detail: joinTexts(name, isin), keywords: issuer ?? undefined };
      const isMatured = maturityDate !== null && maturityDate <= newestDay;
      const item = { kind: 'Security', code: isin ?? undefined, isMatured } as const;
      return { ...item, ...texts, view: 'security', params: { symbol } };
    }),
    ...revisions.map((entry) => createRevisionItem(entry, catalogue)),
  ];
}

function createRateItem(rate: KeyRate): FindItem {
  const { key, tenor, shortTenor } = rate;
  const name = shortTenor
    ? describeKeyRate(rate)
    : tenor.replace('Y', '-year').replace('M', '-month');
  const texts = { title: key, detail: `${name} ${shortTenor ? 'slope' : 'yield'} through time` };
  return { kind: 'Rate', ...texts, view: 'market', params: { through: key } };
}

/** The known values of a dataset's dimensions, each with the first values of the others. */
function createCodeItems(entry: DatasetEntry): FindItem[] {
  const choices = parseChoices(entry, [], undefined);
  return choices.flatMap((choice) =>
    choice.options.map(({ key, text }): FindItem => {
      const chosen = choices.map((each) =>
        each === choice
          ? { chosen: [key] }
          : { chosen: each.chosen?.length ? each.chosen : undefined },
      );
      const params = { series: entry.name, of: formatChoices(chosen) };
      const texts = { title: text, detail: entry.title, keywords: `${choice.title} ${key}` };
      return { kind: 'Series', ...texts, view: 'payments', params };
    }),
  );
}

/** The most recently issued first; a security with an unknown issue date is as old as its quotes. */
function sortByAge(securities: readonly SecuritySummary[]): SecuritySummary[] {
  const getStart = ({ issueDate, firstDate }: SecuritySummary) => issueDate ?? firstDate ?? '';
  return securities.toSorted((a, b) => (getStart(a) < getStart(b) ? 1 : -1));
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

/** The best matches, in which every word of the text occurs, ignoring letter case. */
export function findItems(
  items: readonly FindItem[],
  text: string,
  { views, revision }: Pick<FindSources, 'views' | 'revision'>,
  max: number,
): FindItem[] {
  const words = expandTenor(text.trim().toLowerCase()).split(/\s+/).filter(Boolean);
  const ranked = items.flatMap((item) => {
    const rank = rankItem(item, words);
    return rank === undefined ? [] : { item, rank };
  });
  const direct = createDirectItem(text.trim(), views, revision);
  const matches = ranked
    .filter(({ item }) => item.title !== direct?.title)
    .toSorted((a, b) => a.rank - b.rank);
  // A mere number more likely means the tenor of a bond than a revision, which also matches.
  const isNumber = /^\d+$/.test(text.trim());
  const better = isNumber ? matches.filter(({ rank }) => rank <= RANKS.name).length : 0;
  const found = matches.map(({ item }) => item);
  return found.toSpliced(Math.min(better, max - 1), 0, ...(direct ? [direct] : [])).slice(0, max);
}

/** `10y` and `10 years` are found as `10-year`. */
function expandTenor(text: string): string {
  return text.replace(/^(\d+)[\s-]*y(?:r|ears?)?$/, '$1-year');
}

/** The item that the text names exactly: a market day or the number of a revision. */
function createDirectItem(
  text: string,
  views: FindSources['views'],
  newest: number,
): FindItem | undefined {
  const isOffered = (name: ViewName) => views.some(({ view }) => view === name);
  if (isDay(text) && isOffered('market')) {
    const title = `Market, ${formatDayLabel(text)}`;
    return { kind: 'Day', title, detail: '', view: 'market', params: { date: text } };
  }
  const number = Number(/^(?:revision\s+|#)?(\d{1,15})$/i.exec(text)?.[1]);
  if (!(number >= 1 && number <= newest)) return undefined;
  const params = { revision: String(number) };
  return { kind: 'Revision', title: `Revision ${number}`, detail: '', view: 'ledger', params };
}

/** How well an item matches; lower is better. Matured securities come after all others. */
const RANKS = { exact: 0, title: 1, name: 2, words: 3, other: 4, contents: 5, matured: 6 };

/** Undefined if a word does not occur. */
function rankItem(item: FindItem, words: readonly string[]): number | undefined {
  const { kind, detail, keywords, code } = item;
  const [title, name, id] = [item.title, detail, code ?? ''].map((text) => text.toLowerCase());
  const all = `${title} ${name} ${id} ${keywords?.toLowerCase()}`;
  if (!words.every((word) => all.includes(word))) return undefined;
  const text = words.join(' ');
  if (title === text || id === text) return RANKS.exact;
  const own = rankTexts(title ?? '', name ?? '', words);
  if (kind === 'View') return own === RANKS.title ? own : RANKS.contents;
  return item.isMatured ? RANKS.matured + own : own;
}

function rankTexts(title: string, name: string, words: readonly string[]): number {
  const [first = ''] = words;
  if (title.startsWith(first)) return RANKS.title;
  if (name.startsWith(first)) return RANKS.name;
  return words.every((word) => title.includes(word)) ? RANKS.words : RANKS.other;
}
