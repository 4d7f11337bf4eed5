import { type ReadingClient, splitRecords } from './clients.ts';
import { type DatasetName, getDataset } from './model.ts';
import { report } from './properties.ts';
import type { Query } from './queries.ts';

interface Change {
  readonly change: 'added' | 'corrected' | 'retired';
  readonly record: Readonly<Record<string, unknown>>;
}

const MAX_FAILURES = 20;

/** A copy of a dataset, which is kept up to date by `/changes`. */
export class Copy {
  #revision = 0;
  /** When that was published, as the last response told. */
  #publishedAt: string | undefined;
  #updatedMs = 0;
  #isUpdating = false;
  readonly #records = new Map<string, string>();

  constructor(
    private readonly client: ReadingClient,
    private readonly dataset: DatasetName,
  ) {
    this.#reset();
  }

  /** Applies all changes since the last update, which may come in several pages. */
  async update(server: number): Promise<void> {
    if (this.#isUpdating) return;
    this.#isUpdating = true;
    await this.#update(server);
    this.#isUpdating = false;
  }

  async #update(server: number): Promise<void> {
    const { client, dataset } = this;
    const { world, token } = client;
    const { database, scheduler } = world;
    const startedMs = scheduler.nowMs;
    const { name, scope } = getDataset(dataset);
    const since = this.#revision;
    const changes: Change[] = [];
    let target: string | undefined = `/changes/${name}?since=${since}&limit=3`;
    for (let failures = 0; target !== undefined; ) {
      const query: Query = { target, scope, expect: () => '', select: () => '' };
      const basisMs = since === 0 ? startedMs : this.#updatedMs;
      const page = await client.request({
        query,
        token,
        server,
        basisMs,
        carriesRevision: true,
      });
      if (!page || page.status === 503) {
        if (++failures > MAX_FAILURES) return;
        await scheduler.wait(200, 'retry');
        continue;
      }
      // In another database, or where revisions were lost, `since` is no revision, or another one.
      if (page.status === 400) return this.#reset();
      if (page.status !== 200 || page.revision === undefined) return;
      if (this.#publishedAt && page.sincePublishedAt !== this.#publishedAt) {
        const isSame = world.isCalm(this.#updatedMs, page.receivedMs, ['lost revisions']);
        if (isSame && !database.isReplacedSince(this.#updatedMs))
          report(world, 'copies go on', page, `${this.#publishedAt}, ${page.sincePublishedAt}`);
        return this.#reset();
      }
      changes.push(...splitRecords(page.body).map((text) => JSON.parse(text) as Change));
      target = page.next;
      if (target !== undefined) continue;
      if (database.isTorn(startedMs, page.receivedMs)) return;
      this.#apply(changes);
      this.#revision = page.revision;
      this.#publishedAt = page.publishedAt;
      this.#updatedMs = startedMs;
      const models = database.findModels(page.revision, startedMs, page.receivedMs);
      const text = [...this.#records.values()].toSorted().join('\n');
      if (!models.some((model) => model.list(dataset).toSorted().join('\n') === text))
        report(world, 'copies are what their revision has', page, `since ${since}: ${text}`);
    }
  }

  #reset(): void {
    this.#records.clear();
    this.#revision = this.client.world.database.firstRevision ?? 0;
    this.#publishedAt = undefined;
  }

  #apply(changes: readonly Change[]): void {
    for (const { change, record } of changes) {
      const key = String(record.period ?? `${record.date} ${record.symbol}`);
      if (change === 'retired') this.#records.delete(key);
      else this.#records.set(key, JSON.stringify(record));
    }
  }
}
