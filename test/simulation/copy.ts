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
  #revision: number;
  #updatedMs = 0;
  #isUpdating = false;
  readonly #records = new Map<string, string>();

  constructor(
    private readonly client: ReadingClient,
    private readonly dataset: DatasetName,
  ) {
    this.#revision = client.world.database.firstRevision ?? 0;
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
    if (database.isReplacedSince(this.#updatedMs)) this.#reset();
    const startedMs = scheduler.nowMs;
    const { name, scope } = getDataset(dataset);
    const since = this.#revision;
    const changes: Change[] = [];
    let target: string | undefined = `/changes/${name}?since=${since}&limit=3`;
    for (let failures = 0; target !== undefined; ) {
      const query: Query = { target, scope, expect: () => '', select: () => '' };
      const basisMs = since === 0 ? startedMs : this.#updatedMs;
      const page = await client.request({
        ...{ query, token, server, basisMs, carriesRevision: true },
      });
      if (!page || page.status === 503) {
        if (++failures > MAX_FAILURES) return;
        await scheduler.wait(200, 'retry');
        continue;
      }
      if (page.status !== 200 || page.revision === undefined) return;
      changes.push(...splitRecords(page.body).map((text) => JSON.parse(text) as Change));
      target = page.next;
      if (target !== undefined) continue;
      if (database.isReplacedSince(startedMs)) return;
      this.#apply(changes);
      this.#revision = page.revision;
      this.#updatedMs = startedMs;
      const models = database.findModels(page.revision, startedMs, page.receivedMs);
      const text = [...this.#records.values()].toSorted().join('\n');
      if (!models.some((model) => model.list(dataset).toSorted().join('\n') === text))
        report(world, 'copies are what their revision has', page, `since ${since}: ${text}`);
    }
  }

  #reset(): void {
    this.#records.clear();
    this.#revision = 0;
  }

  #apply(changes: readonly Change[]): void {
    for (const { change, record } of changes) {
      const key = String(record.period ?? `${record.date} ${record.symbol}`);
      if (change === 'retired') this.#records.delete(key);
      else this.#records.set(key, JSON.stringify(record));
    }
  }
}
