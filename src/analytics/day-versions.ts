import { holidays } from '../catalogue/datasets/holidays.ts';
import { securities } from '../catalogue/datasets/securities.ts';
import type { Dataset } from '../catalogue/model/dataset.ts';
import type { Awaitable } from '../shared/awaitable.ts';
import { memoizeAsync } from '../shared/memoize.ts';
import type { DayVersion, StoreReader } from '../store/open-store.ts';

const MAX_CACHED_REVISIONS = 1_000;

/** What the figures of days were computed from: by this, it is known whether they still hold. */
export class DayVersions {
  /** The last change of each day, up to the newest revision that was asked for. */
  readonly #newest = new Map<string, DayVersion>();
  #revision = 0;
  readonly #findTermsVersion: (revision: number) => Awaitable<string>;

  constructor(private readonly reader: Pick<StoreReader, 'dayVersions' | 'revisions'>) {
    this.#findTermsVersion = memoizeAsync(MAX_CACHED_REVISIONS, String, async (revision) => {
      const filter = { datasets: [securities.name, holidays.name], before: revision + 1, limit: 1 };
      const [last] = await reader.revisions(filter);
      return formatVersion(last);
    });
  }

  /** The last changes of the quotes of days and of all terms, up to a revision; as text. */
  async find(
    dataset: Dataset,
    dates: readonly string[],
    revision: number,
  ): Promise<(date: string) => string> {
    const days = await this.#findDays(dataset, dates, revision);
    const terms = await this.#findTermsVersion(revision);
    return (date) => `${formatVersion(days.get(date))} ${terms}`;
  }

  async #findDays(dataset: Dataset, dates: readonly string[], until: number) {
    const since = this.#revision;
    if (until > since) {
      for (const day of await this.reader.dayVersions(dataset, { since, until })) {
        const known = this.#newest.get(day.date);
        if (!known || known.revision < day.revision) this.#newest.set(day.date, day);
      }
      this.#revision = Math.max(this.#revision, until);
    }
    const changedLater = dates
      .filter((date) => (this.#newest.get(date)?.revision ?? 0) > until)
      .toSorted();
    const [first, last = first] = [changedLater[0], changedLater.at(-1)];
    if (first === undefined || last === undefined) return this.#newest;
    const filter = { since: 0, until, days: [first, last] as const };
    const earlier = await this.reader.dayVersions(dataset, filter);
    const byDate = new Map(earlier.map((day) => [day.date, day]));
    const isLater = new Set(changedLater);
    return { get: (date: string) => (isLater.has(date) ? byDate : this.#newest).get(date) };
  }
}

/** Where revisions were lost, others of their numbers may have been published since. */
function formatVersion(version: Pick<DayVersion, 'revision' | 'publishedAt'> | undefined): string {
  return version ? `${version.revision}@${version.publishedAt}` : '0';
}
