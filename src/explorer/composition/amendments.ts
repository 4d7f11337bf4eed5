import { withUnit } from '../figures/figures.ts';
import type { Measure } from './part.ts';

/** A figure that is another since a revision. */
export interface Amended {
  /** The period's label, and what it is known by. */
  readonly period: string;
  readonly at: string;
  readonly key: string;
  readonly title: string;
  readonly measure: Measure;
  /** Undefined where there was none. */
  readonly old: number | undefined;
  /** Undefined where there is none any more. */
  readonly new: number | undefined;
}

/** What a revision did to what had been published before. */
export interface Amendment {
  readonly revision: number;
  readonly publishedAt: string;
  readonly figures: readonly Amended[];
  /** Labels of periods that came, and that went. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Everything that a revision did in one: they come newest first. */
export function byRevision(amendments: readonly Amendment[]): Amendment[] {
  return [...Map.groupBy(amendments, ({ revision }) => revision).values()].map((those) => ({
    revision: those[0]?.revision ?? 0,
    publishedAt: those[0]?.publishedAt ?? '',
    figures: those.flatMap(({ figures }) => figures),
    added: those.flatMap(({ added }) => added),
    removed: those.flatMap(({ removed }) => removed),
  }));
}

/** The last value that a figure had before the one it has. */
export function formerOf(
  amendments: readonly Amendment[],
  at: string | undefined,
  key: string,
): Amended | undefined {
  for (const { figures } of amendments) {
    const found = figures.find((figure) => figure.at === at && figure.key === key);
    if (found) return found;
  }
  return undefined;
}

/** The newest revision that corrected something in the period, or that one figure of it. */
export function lastRevisionOf(
  amendments: readonly Amendment[],
  at: string | undefined,
  key?: string,
): number | undefined {
  const isMeant = (figure: Amended) =>
    figure.at === at && (key === undefined || figure.key === key);
  return amendments.find(({ figures }) => figures.some(isMeant))?.revision;
}

/** For every period that was corrected, by its place in the list: what was, in one text. */
export function storiesOf(
  amendments: readonly Amendment[],
  ats: readonly string[],
): Map<number, string> {
  const stories = new Map<number, string>();
  for (const { revision, figures } of amendments) {
    for (const [at, those] of Map.groupBy(figures, (figure) => figure.at)) {
      const told = `Corrected by revision ${revision}: ${those.map(amendedWords).join(', ')}`;
      const index = ats.indexOf(at);
      if (index >= 0) stories.set(index, [stories.get(index), told].filter(Boolean).join('. '));
    }
  }
  return stories;
}

/** The places of a part's figures that were corrected. */
export function marksOf(
  amendments: readonly Amendment[],
  ats: readonly string[],
  key: string,
): ReadonlySet<number> {
  const figures = amendments.flatMap((amendment) => amendment.figures);
  const corrected = figures.filter((figure) => figure.key === key);
  return new Set(corrected.map(({ at }) => ats.indexOf(at)).filter((index) => index >= 0));
}

/** `Cash 9.3 % → 10.8 %`. */
export function amendedWords({ title, measure, old, new: now }: Amended): string {
  return `${title} ${withUnit(old, measure)} → ${withUnit(now, measure)}`;
}
