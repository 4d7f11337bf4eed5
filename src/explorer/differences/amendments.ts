import { dayWords } from '../figures/days.ts';
import type { Measure } from '../figures/figures.ts';
import type { AnyRecord, Correction, Entry } from '../service/catalogue.ts';
import { apart, type Difference, differencesOf } from './differences.ts';
import { type Period, periodsIn } from './leaves.ts';

/** A value that is another since a revision. */
export interface Amended {
  /** The label of its period or day, and what that is known by. */
  readonly period: string;
  readonly at: string;
  /** What the views call it: `ytm`, `provinces.punjab`, of a fund the class. */
  readonly key: string;
  readonly title: string;
  readonly measure: Measure;
  /** Undefined where there was none. */
  readonly old: unknown;
  /** Undefined where there is none any more. */
  readonly new: unknown;
}

/** The same, with the revision that changed it. */
export interface Former extends Amended {
  readonly revision: number;
}

/** What a revision did to what had been published before. */
export interface Amendment {
  readonly revision: number;
  readonly publishedAt: string;
  readonly values: readonly Amended[];
  /** Labels of periods that came, and that went. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Most corrections that a view of many asks for. */
export const MOST_CORRECTIONS = 200;

/** How a view calls and writes something; where it does not say, the catalogue does. */
type Known = Pick<Amended, 'key' | 'title' | 'measure'>;
type About = Pick<Entry, 'fields' | 'shape' | 'period'>;

/** What corrections did, newest first as they come: each revision in one. */
export function amendmentsOf(
  entry: About,
  corrections: readonly Correction[],
  parts: readonly Known[] = [],
): Amendment[] {
  const known = new Map(parts.map((part) => [part.key, part]));
  return [...Map.groupBy(corrections, ({ revision }) => revision)].map(([revision, those]) => {
    const done = those.map(({ old, new: now }) => doneTo(entry, old, now, known));
    const values = done.flatMap((each) => each.values);
    return {
      revision,
      publishedAt: those[0]?.publishedAt ?? '',
      // Labels of periods have no order of their own, days have.
      values: entry.shape === 'series' ? values : values.toSorted(newestFirst),
      added: done.flatMap(({ added }) => added),
      removed: done.flatMap(({ removed }) => removed),
    };
  });
}

type Done = Pick<Amendment, 'values' | 'added' | 'removed'>;

function doneTo(
  entry: About,
  old: AnyRecord,
  now: AnyRecord | null,
  known: ReadonlyMap<string, Known>,
): Done {
  const own = periodOf(entry, now ?? old);
  if (!now) {
    const gone = own ? [own] : periodsIn(old);
    return { values: [], added: [], removed: gone.map(({ label }) => label) };
  }
  const { rest, ...periods } = apart(differencesOf(entry, old, now));
  const values = rest.flatMap((difference) => {
    const { period = own, measure, old: was, new: is } = difference;
    const key = keyOf(difference);
    // What belongs to no period is no figure: what a fund is called, how often it reports.
    if (!period || key === undefined) return [];
    const usual = { title: difference.key ?? difference.words, measure, ...known.get(key) };
    const { title, measure: by } = usual;
    return { period: period.label, at: period.date, key, title, measure: by, old: was, new: is };
  });
  return { ...periods, values };
}

function newestFirst(one: Amended, other: Amended): number {
  return Date.parse(other.at) - Date.parse(one.at);
}

/** What a whole record is of; undefined where it has periods of its own. */
function periodOf({ shape, period }: About, record: AnyRecord): Period | undefined {
  if (shape === 'fund') return undefined;
  const date = String(record[shape === 'quotes' ? 'date' : (period?.field ?? '')]);
  return { label: shape === 'quotes' ? dayWords(date) : date, date };
}

function keyOf({ field, key, period }: Difference): string | undefined {
  if (period) return key;
  return key === undefined ? field.name : `${field.name}.${key}`;
}

/** The last change of a value that there was. */
export function lastOf(
  amendments: readonly Amendment[],
  at: string | undefined,
  key: string,
): Former | undefined {
  for (const { revision, values } of amendments) {
    const found = values.find((value) => value.at === at && value.key === key);
    if (found) return { ...found, revision };
  }
  return undefined;
}

/** The newest revision that corrected something in the period. */
export function lastRevisionOf(
  amendments: readonly Amendment[],
  at: string | undefined,
): number | undefined {
  return amendments.find(({ values }) => values.some((value) => value.at === at))?.revision;
}
