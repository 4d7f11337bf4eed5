import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import { serializeRecord } from '../../src/schema/serialize-record.ts';
import type { RecordChange, Revision } from '../../src/store/open-store.ts';
import { getKey } from './publish-at.ts';
import type { Query } from './small-dataset.ts';

/** The records of one dataset: texts by key. */
type Records = ReadonlyMap<string, string>;

/** A revision, and all that stood in its dataset before and after it. */
export interface Entry extends Omit<Revision, 'files' | 'author' | 'sample'> {
  readonly before: Records;
  readonly after: Records;
}

interface About {
  readonly source: string;
  readonly atMs: number;
  readonly unchanged?: number;
}

/** What publishing promises, as plainly as it can be written: a list of states. */
export class Model {
  readonly entries: Entry[] = [];

  /** Every revision there is; 0 is before the first. */
  revisions(): number[] {
    return [0, ...this.entries.map(({ revision }) => revision)];
  }

  load(
    dataset: Dataset,
    records: readonly AnyRecord[],
    { replace, ...about }: About & { readonly replace: boolean },
  ): Entry | undefined {
    const before = this.records(dataset.name);
    const given = records.map(
      (record) => [keyText(dataset, record), serializeRecord(dataset, record)] as const,
    );
    const unchanged = given.filter(([key, text]) => before.get(key) === text).length;
    const after = new Map([...(replace ? [] : before), ...given]);
    return this.enter(dataset.name, after, { ...about, unchanged });
  }

  holds(dataset: Dataset, record: AnyRecord): boolean {
    return this.records(dataset.name).has(keyText(dataset, record));
  }

  retire(dataset: Dataset, records: readonly AnyRecord[], atMs: number): Entry | undefined {
    const gone = new Set(records.map((record) => keyText(dataset, record)));
    const kept = [...this.records(dataset.name)].filter(([key]) => !gone.has(key));
    return this.enter(dataset.name, new Map(kept), { source: 'retired by key', atMs });
  }

  /**
   * What keeps a revision from being undone: for each record that is no more as it left it, the
   * first later revision that left it as it is. Undefined where there is no such revision.
   */
  inTheWayOf(revision: number): number[] | undefined {
    const entry = this.entries[revision - 1];
    if (!entry) return undefined;
    const now = this.records(entry.dataset);
    const moved = touched(entry).filter((key) => now.get(key) !== entry.after.get(key));
    const later = this.entries.slice(revision).filter(({ dataset }) => dataset === entry.dataset);
    const first = moved.map((key) =>
      later.find((each) => touched(each).includes(key) && each.after.get(key) === now.get(key)),
    );
    return [...new Set(first.map((each) => each?.revision ?? 0))].toSorted((a, b) => a - b);
  }

  revert(revision: number, atMs: number): Entry | undefined {
    const entry = this.entries[revision - 1] as Entry;
    const after = new Map(this.records(entry.dataset));
    for (const key of touched(entry)) {
      const text = entry.before.get(key);
      if (text === undefined) after.delete(key);
      else after.set(key, text);
    }
    return this.enter(entry.dataset, after, { source: `revert of revision ${revision}`, atMs });
  }

  /** What a revision did: first what it corrected or retired, then what it added, each by key. */
  changes(dataset: Dataset, revision: number): RecordChange[] {
    const { before, after } = this.entries[revision - 1] as Entry;
    const ended = sorted(dataset, before).filter(([key, text]) => after.get(key) !== text);
    const added = sorted(dataset, after).filter(([key]) => !before.has(key));
    return [
      ...ended.map(([key, old]): RecordChange => {
        const text = after.get(key);
        return { change: text === undefined ? 'retired' : 'corrected', old, new: text ?? null };
      }),
      ...added.map(([, text]): RecordChange => ({ change: 'added', old: null, new: text })),
    ];
  }

  /** The records of a dataset as they stood, in the order of answers. */
  texts(dataset: Dataset, asOf: number): string[] {
    return sorted(dataset, this.records(dataset.name, asOf)).map(([, text]) => text);
  }

  /** Those of some quotes, in the order of answers, that a query means. */
  quotes(texts: readonly string[], query: Query): string[] {
    const { securities, isOldestFirst, limit, ...all } = { ...query };
    if (isOldestFirst) {
      const newestFirst = this.quotes(texts, {
        ...all,
        ...(securities && { securities }),
        limit: Infinity,
      });
      return newestFirst.toReversed().slice(0, limit);
    }
    if (securities) {
      const results = securities.map((security) =>
        this.quotes(texts, { ...all, security, limit: Infinity }),
      );
      const matches = new Set(results.flat());
      return texts.filter((text) => matches.has(text)).slice(0, limit);
    }
    const { security, type, dateRange } = query;
    let found = texts.map((text) => ({ text, ...(JSON.parse(text) as QuoteParts) }));
    if (security !== undefined) {
      const is = (name: string) => name.toUpperCase() === security.toUpperCase();
      const named = found.filter(({ symbol }) => is(symbol));
      found = named.length > 0 ? named : found.filter(({ isin }) => is(isin));
    }
    if (type !== undefined) found = found.filter((each) => each.type === type);
    const newest = found[0]?.date ?? '';
    const [from, to] = dateRange ?? [newest, newest];
    found = found.filter(({ date }) => date >= from && date <= to);
    return found.slice(0, limit).map(({ text }) => text);
  }

  private records(dataset: string, asOf = this.entries.length): Records {
    const mine = this.entries.slice(0, asOf).findLast((entry) => entry.dataset === dataset);
    return mine?.after ?? new Map();
  }

  private enter(dataset: string, after: Records, about: About): Entry | undefined {
    const before = this.records(dataset);
    const added = [...after.keys()].filter((key) => !before.has(key)).length;
    const retired = [...before.keys()].filter((key) => !after.has(key)).length;
    const corrected = [...after].filter(
      ([key, text]) => before.has(key) && before.get(key) !== text,
    ).length;
    if (added + retired + corrected === 0) return undefined;
    const { source, atMs, unchanged = 0 } = about;
    const at = new Date(atMs).toISOString();
    const last = this.entries.at(-1)?.publishedAt ?? '';
    const publishedAt = last > at ? last : at;
    const counts = { added, corrected, retired, unchanged };
    const revision = this.entries.length + 1;
    const entry = { revision, dataset, publishedAt, source, ...counts, before, after };
    this.entries.push(entry);
    return entry;
  }
}

interface QuoteParts {
  readonly date: string;
  readonly symbol: string;
  readonly isin: string;
  readonly type: string;
}

function keyText(dataset: Dataset, record: AnyRecord): string {
  return JSON.stringify(getKey(dataset, record));
}

function touched({ before, after }: Entry): string[] {
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  return keys.filter((key) => before.get(key) !== after.get(key));
}

/** In the order of answers: newest day or period first, then by symbol; funds and reference data by their names. */
function sorted(dataset: Dataset, records: Records): [string, string][] {
  const parts = (key: string) => JSON.parse(key) as (string | number)[];
  return [...records].toSorted(([a], [b]) => {
    const [[first = '', second = ''], [other = '', another = '']] = [parts(a), parts(b)];
    if (first !== other)
      return first < other === (dataset.shape === 'fund' || dataset.shape === 'reference') ? -1 : 1;
    return second < another ? -1 : 1;
  });
}
