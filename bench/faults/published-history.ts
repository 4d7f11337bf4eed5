import type { CheckedDatabase } from '../../test/simulation/checked-world.ts';
import type { FaultTimes } from '../../test/simulation/fault-times.ts';
import type { Model, SimulatedChange } from '../../test/simulation/model.ts';

/** The contract says a second; a busy machine takes longer. */
const FRESH_MS = 2_500;

/** The last entry of a ledger. */
export interface LastRevision {
  readonly revision: number;
  readonly source: string;
}

export interface Publishing {
  /** Publishes a change. Where it fails, it may be published nevertheless. */
  attempt(change: SimulatedChange, stamp: number, after: Model): Promise<void>;
  /** Reads the ledger, once no publication is under way any more. */
  readLast(): Promise<LastRevision>;
  /** Whether something has disturbed a publication that began at a time. */
  isDisturbed(startedMs: number): boolean;
}

/** What a real database must have: the model of each revision that its ledger has. */
export class PublishedHistory implements CheckedDatabase {
  readonly firstRevision: number;
  readonly #commits: { readonly model: Model; readonly atMs: number }[];
  /** May be seen: what becomes of its publication is not known yet. */
  #pending: Model | undefined;
  #newestSeen = 0;
  #stamp = 1;

  constructor(
    private readonly faults: FaultTimes,
    first: Model,
  ) {
    this.firstRevision = first.revision;
    this.#commits = [{ model: first, atMs: Number.NEGATIVE_INFINITY }];
  }

  get newest(): Model {
    return (this.#commits.at(-1) as { readonly model: Model }).model;
  }

  /** Publishes a change, or tries to; returns what does not hold about that. */
  async publish(
    change: SimulatedChange,
    publishing: Publishing,
    nowMs: () => number,
  ): Promise<string | undefined> {
    const { newest } = this;
    const startedMs = nowMs();
    const stamp = ++this.#stamp;
    const after = newest.apply(change, stamp);
    this.#pending = after;
    const failure = await publishing.attempt(change, stamp, after).then(
      () => undefined,
      (cause: Error) => cause,
    );
    const last = await publishing.readLast();
    this.#pending = undefined;
    if (last.revision === after.revision && last.source.endsWith(` ${stamp}`)) {
      this.#commits.push({ model: after, atMs: nowMs() });
      return undefined;
    }
    if (last.revision !== newest.revision)
      return `revision ${last.revision} of ${last.source} after revision ${newest.revision}`;
    if (this.#newestSeen > newest.revision)
      return `revision ${this.#newestSeen} was seen, and is not in the ledger`;
    if (failure && !publishing.isDisturbed(startedMs)) return `it failed: ${failure.message}`;
    return failure || after === newest ? undefined : `revision ${after.revision} is not there`;
  }

  findModels(revision: number): readonly Model[] {
    this.#newestSeen = Math.max(this.#newestSeen, revision);
    const committed = this.#commits[revision - this.firstRevision]?.model;
    return [committed, this.#pending].filter((model) => model?.revision === revision) as Model[];
  }

  findRequiredRevision(startedMs: number): number {
    const seen = this.#commits.findLast(({ atMs }) =>
      this.faults.isNoticed(atMs, startedMs, FRESH_MS),
    );
    return seen?.model.revision ?? this.firstRevision;
  }

  isTorn(): boolean {
    return false;
  }

  isReplacedSince(): boolean {
    return false;
  }
}
