import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ivrBankingAnnualValue as ivr,
  onlineBankingAnnualVolume as online,
} from '../../src/catalogue/datasets/series/index.ts';
import { packLoad } from '../../src/publish/desk/candidate-files.ts';
import { findStale } from '../../src/publish/desk/find-stale.ts';
import { ReleaseDesk } from '../../src/publish/desk/release-desk.ts';
import { withReview } from '../../src/publish/desk/with-review.ts';
import { GuardError, PublishError } from '../../src/publish/errors.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import type { Candidate, CandidateStore, Publisher, Revision } from '../../src/store/open-store.ts';
import { createTempFolder, type TestStore } from '../support/store.ts';
import { Random } from './random.ts';

/*
 * People at the release desk of a real database. A seed decides what they do, at which call of the
 * database one of them is ended as by kill -9, and at which one somebody else comes between. It is not
 * a part of the simulated world: a candidate is made of files, which settle by the real event loop.
 */

const DATASETS = [online, ivr];
const YEARS = [2021, 2022, 2023];
const PEOPLE = ['ann', 'bob', 'eve'];

/** One record to add or to correct; the figure tells publications apart. */
interface Put {
  readonly dataset: number;
  readonly year: number;
  readonly figure: number;
}

/** What is known of a candidate that somebody staged, by its note. */
interface Staged {
  readonly put: Put;
  readonly bundle: string | undefined;
  id?: number;
  state: 'unknown' | 'staged' | 'published' | 'withdrawn';
}

class EndedError extends Error {}

/** What one person does; its steps are the calls of the database. */
interface Actor {
  readonly account: string;
  /** Called before a step; throws if the process ends there. */
  step(holdsLock: boolean): Promise<void>;
}

/** Runs one seed; throws with its course if something does not hold. */
export async function runReleaseDesk(store: TestStore, seed: number): Promise<DeskWorld> {
  const world = new DeskWorld(store, seed);
  try {
    await world.run();
    return world;
  } catch (cause) {
    const course = world.course.join('\n  ');
    throw new Error(`seed ${seed}: ${(cause as Error).message}\n  ${course}`, { cause });
  } finally {
    world.close();
  }
}

const ACTIONS = {
  stage: 5,
  replace: 1,
  approve: 4,
  withdraw: 2,
  publish: 3,
  due: 2,
  list: 2,
  load: 2,
} as const;

type Action = keyof typeof ACTIONS;

/** What others do while somebody is at it: mostly with the same candidates. */
const BETWEEN = { replace: 2, approve: 2, withdraw: 4, publish: 3, due: 1, load: 1 } as const;

export class DeskWorld {
  readonly course: string[] = [];
  /** How many actions were ended, and how many had another one between. */
  readonly counts = { ended: 0, between: 0, published: 0 };
  readonly #random: Random;
  readonly #staged = new Map<string, Staged>();
  /** What live loads have put, by their author. */
  readonly #loads = new Map<string, Put>();
  /** The notes of candidates that the present action may publish or withdraw. */
  readonly #mayPublish = new Set<string>();
  readonly #mayWithdraw = new Set<string>();
  /** The notes of candidates that the present action replaces, and of those that it stages instead. */
  readonly #replacements: (readonly [string, string])[] = [];
  readonly #opened: { close(): unknown }[] = [];
  readonly #folder = createTempFolder();
  readonly #isReviewed: boolean;
  #revisions: readonly Revision[] = [];
  #figure = 0;

  constructor(
    private readonly store: TestStore,
    seed: number,
  ) {
    this.#random = new Random(seed);
    this.#isReviewed = this.#random.isLikely(0.6);
  }

  async run(): Promise<void> {
    const random = this.#random;
    if (this.#isReviewed) await this.#open(this.store.candidates()).setReview(online.name, 1);
    for (let count = random.integer(6, 14); count > 0; count--) {
      await this.#act(random.pickWeighted(ACTIONS), true);
      await this.#check();
    }
    await this.#finish();
  }

  close(): void {
    for (const resource of this.#opened.splice(0)) resource.close();
  }

  #open<T extends { close(): unknown }>(resource: T): T {
    this.#opened.push(resource);
    return resource;
  }

  /** Somebody does something, and may be ended or interrupted meanwhile. */
  async #act(action: Action, mayBeDisturbed: boolean): Promise<void> {
    const random = this.#random;
    const account = random.pick(PEOPLE);
    const fate = mayBeDisturbed ? random.pickWeighted({ none: 3, ended: 4, between: 3 }) : 'none';
    const at = random.integer(1, 7);
    let steps = 0;
    const step = async (holdsLock: boolean) => {
      steps += 1;
      if (fate === 'ended' && steps >= at) throw new EndedError(`${steps}`);
      // Others would wait for the lock.
      if (fate !== 'between' || steps !== at || holdsLock) return;
      this.counts.between += 1;
      await this.#act(random.pickWeighted(BETWEEN), false);
    };
    this.course.push(`${account} begins to ${action} (${fate} at ${at})`);
    const outcome = await this.#try(action, { account, step });
    this.course.push(`${account} ends to ${action}: ${outcome}`);
  }

  /** What became of an action: an end or a refusal is an outcome, anything else a defect. */
  async #try(action: Action, actor: Actor): Promise<string> {
    try {
      return (await this[`_${action}`](actor)) ?? 'done';
    } catch (cause) {
      if (cause instanceof EndedError) {
        this.counts.ended += 1;
        return `ended before step ${cause.message}`;
      }
      if (cause instanceof GuardError || cause instanceof PublishError) return cause.message;
      throw cause;
    }
  }

  /** The desk of a process that does nothing after its end. */
  #openDesk({ account, step }: Actor): ReleaseDesk {
    let holdsLock = false;
    const candidates = { ...this.#open(this.store.candidates()), findAccount: async () => account };
    const stepping = new Proxy(candidates, {
      get(target, name: keyof CandidateStore) {
        const member = target[name] as unknown;
        if (typeof member !== 'function' || name === 'readPart') return member;
        return async (...args: unknown[]) => {
          await step(holdsLock);
          return member.apply(target, args);
        };
      },
    });
    const publisher = this.#open(this.store.publisher());
    const transaction: Publisher['transaction'] = async (callback) => {
      await step(false);
      try {
        const result = await publisher.transaction(async (own) => {
          holdsLock = true;
          const value = await callback(own);
          await step(true);
          return value;
        });
        holdsLock = false;
        await step(false);
        return result;
      } finally {
        holdsLock = false;
      }
    };
    return new ReleaseDesk({ ...publisher, transaction }, stepping);
  }

  #drawPut(): Put {
    this.#figure += 1;
    const figure = this.#random.isLikely(0.1) ? 1 : this.#figure;
    return { dataset: this.#random.integer(0, 1), year: this.#random.pick(YEARS), figure };
  }

  async _stage(actor: Actor, replaced?: Staged, replacedNote = ''): Promise<string> {
    const random = this.#random;
    const put = this.#drawPut();
    const note = `candidate ${this.#staged.size + 1}`;
    const bundle = random.isLikely(0.5) ? random.pick(['june', 'july']) : undefined;
    const known: Staged = { put, bundle, state: 'unknown' };
    this.#staged.set(note, known);
    if (replaced) this.#replacements.push([replacedNote, note]);
    const desk = this.#openDesk(actor);
    const path = join(this.#folder, `${note}.json`);
    writeFileSync(path, JSON.stringify([buildRecord(put)]));
    const options = { mapping: {}, canRelabel: true, canCorrectMany: true } as const;
    const { name: dataset } = getDataset(put);
    const files = [{ path, name: 'a.json' }];
    const packed = await packLoad({ kind: 'load', dataset, options }, files, undefined);
    const due = random.isLikely(0.5) ? '2026-01-01T00:00:00.000Z' : undefined;
    const request = { ...packed, author: note, bundle, due, note, replaces: replaced?.id };
    const candidate = await desk.stage(request);
    if (!candidate) return 'nothing to stage';
    // Somebody may have withdrawn or published it before this is known.
    known.id = candidate.id;
    return `${note} staged as ${candidate.id}, ${JSON.stringify({ ...put, bundle })}`;
  }

  async _replace(actor: Actor): Promise<string> {
    const [note = '', known] = this.#pickStaged() ?? [];
    if (!known) return this._stage(actor);
    return `${await this._stage(actor, known, note)} instead of ${note}`;
  }

  async _approve(actor: Actor): Promise<string> {
    const [note, { id } = {}] = this.#pickStaged() ?? [];
    if (id === undefined) return this._stage(actor);
    await this.#openDesk(actor).approve(id);
    return `${note}`;
  }

  async _withdraw(actor: Actor): Promise<string> {
    const [note = '', { id } = {}] = this.#pickStaged() ?? [];
    if (id === undefined) return this._stage(actor);
    this.#mayWithdraw.add(note);
    const { state } = await this.#openDesk(actor).withdraw(id);
    return `${note} ${state}`;
  }

  async _publish(actor: Actor): Promise<string> {
    const [, { id } = {}] = this.#pickStaged() ?? [];
    if (id === undefined) return this._stage(actor);
    const desk = this.#openDesk(actor);
    const candidate = (await desk.store.find(id)) as Candidate;
    const open = await desk.store.list();
    const others = open.filter(
      (each) =>
        each.id !== id && candidate.bundle !== undefined && each.bundle === candidate.bundle,
    );
    return this.#publishAll(
      desk,
      candidate.state === 'staged' ? [candidate, ...others] : [candidate],
    );
  }

  /** As `publish --due` does: what cannot be published is left until somebody looks at it. */
  async _due(actor: Actor): Promise<string> {
    const desk = this.#openDesk(actor);
    await findStale(desk.store, this.#open(this.store.reader()));
    const open = await desk.store.list();
    const outcomes: string[] = [];
    for (const group of Map.groupBy(open, ({ id, bundle }) => bundle ?? id).values()) {
      if (group.some(({ due, problem }) => due === undefined || problem !== undefined)) continue;
      try {
        outcomes.push(await this.#publishAll(desk, group));
      } catch (cause) {
        if (!(cause instanceof GuardError || cause instanceof PublishError)) throw cause;
        outcomes.push(cause.message);
        for (const { id } of group) await desk.recordProblem(id, cause.message);
      }
    }
    return outcomes.join('; ');
  }

  async #publishAll(desk: ReleaseDesk, group: readonly Candidate[]): Promise<string> {
    for (const { note = '' } of group) this.#mayPublish.add(note);
    const { all } = await desk.publish(
      group.map(({ id }) => id),
      { isScheduled: true },
    );
    return all.map(({ id, state, closed }) => `${id} ${state} ${closed?.revisions}`).join(', ');
  }

  async _list(actor: Actor): Promise<string> {
    const desk = this.#openDesk(actor);
    const stale = await findStale(desk.store, this.#open(this.store.reader()));
    const [, { id } = {}] = this.#pickStaged() ?? [];
    if (id !== undefined) await desk.refresh(id);
    return `stale: ${stale.map((each) => each.id)}; refreshed: ${id}`;
  }

  /** A correction of live data, which the desk knows nothing of. */
  async _load({ account }: Actor): Promise<string> {
    const put = this.#drawPut();
    const author = `${account} ${this.#loads.size}`;
    this.#loads.set(author, put);
    const candidates = this.#open(this.store.candidates());
    const publisher = withReview(this.#open(this.store.publisher()), candidates);
    const origin = { source: 'live', author };
    await publishRecords(publisher, {
      dataset: getDataset(put),
      records: [buildRecord(put)],
      ...origin,
    });
    return JSON.stringify(put);
  }

  #pickStaged(): [string, Staged] | undefined {
    const known = [...this.#staged].filter(([, { id, state }]) => id && state === 'staged');
    return known.length > 0 ? this.#random.pick(known) : undefined;
  }

  /** What must hold after each action. */
  async #check(): Promise<void> {
    const reader = this.#open(this.store.reader());
    const desk = this.#open(this.store.candidates());
    const revisions = (await reader.revisions()).toReversed();
    for (const [index, before] of this.#revisions.entries())
      assert(Bun.deepEquals(revisions[index], before), `revision ${index + 1} stays as it is`);
    const fresh = revisions.slice(this.#revisions.length);
    this.#revisions = revisions;
    for (const { note, author } of fresh) {
      if (note === undefined) assert(this.#loads.has(author), `${author} has loaded`);
      else assert(this.#mayPublish.has(note), `nobody had ${note} published`);
    }
    const notes = revisions.flatMap(({ note }) => note ?? []);
    assert(new Set(notes).size === notes.length, `published twice: ${notes}`);
    for (const revision of fresh) await this.#checkRelease(revision, revisions);
    await this.#checkRecords();
    this.#checkStates(await desk.list(true), new Set(notes));
    this.#mayPublish.clear();
    this.#mayWithdraw.clear();
    this.#replacements.length = 0;
    this.counts.published = notes.length;
    this.close();
  }

  /** A revision of a bundle comes with all others; one of a reviewed dataset with its approval. */
  async #checkRelease({ revision }: Revision, all: readonly Revision[]): Promise<void> {
    const { options, publishedAt } =
      (await this.#open(this.store.reader()).ledgerEntry(revision)) ?? {};
    const { release } = options ?? {};
    if (!release) return;
    const { first = revision, last = revision, approvedBy = [], stagedBy, note = '' } = release;
    const bundle = all.slice(first - 1, last);
    const isWhole =
      bundle.length === last - first + 1 &&
      bundle.every((each) => each.publishedAt === publishedAt);
    assert(isWhole, `revisions ${first} to ${last} are published together`);
    const { put } = this.#staged.get(note) as Staged;
    const isApproved = approvedBy.some((name) => name !== stagedBy);
    if (this.#isReviewed && getDataset(put) === online) assert(isApproved, `${note} is approved`);
  }

  /** Readers see what the revisions have put, one after the other. */
  async #checkRecords(): Promise<void> {
    const expected = new Map<string, number>();
    for (const { note, author } of this.#revisions) {
      const put = note === undefined ? this.#loads.get(author) : this.#staged.get(note)?.put;
      if (put) expected.set(`${put.dataset} ${put.year}`, put.figure);
    }
    const found = new Map<string, number>();
    for (const [index, dataset] of DATASETS.entries())
      for await (const batch of this.#open(this.store.reader()).records(dataset))
        for (const text of batch) {
          const { year, total } = JSON.parse(text);
          found.set(`${index} ${year}`, total);
        }
    const describe = (figures: Map<string, number>) => JSON.stringify([...figures].toSorted());
    assert(
      describe(found) === describe(expected),
      `${describe(found)} instead of ${describe(expected)}`,
    );
  }

  /** No candidate is lost, and none changes by what nobody did. */
  #checkStates(candidates: readonly Candidate[], published: ReadonlySet<string>): void {
    const byNote = new Map(candidates.map((candidate) => [candidate.note, candidate]));
    assert(byNote.size === candidates.length, 'no candidate is there twice');
    for (const [note, known] of this.#staged) {
      const found = byNote.get(note);
      if (!found) {
        assert(known.id === undefined, `${note} is lost`);
        continue;
      }
      const { state, changes } = found;
      // A process that ended after its commit leaves the note about it to the next one.
      const isUnmarked = state === 'staged' && published.has(note);
      const isPublished = published.has(note) || (state === 'published' && changes.length === 0);
      if (state === 'published') assert(isPublished, `${note} is published`);
      if (state === 'withdrawn') assert(!published.has(note), `${note} is not published`);
      const isReplaced = this.#replacements.some(([old, by]) => old === note && byNote.has(by));
      const mayWithdraw = this.#mayWithdraw.has(note) || isReplaced;
      assert(state !== 'staged' || !isReplaced, `${note} and its replacement are both staged`);
      const mayChange =
        known.state === 'unknown' ||
        (known.state === 'staged' && (this.#mayPublish.has(note) || mayWithdraw));
      const isSame = state === known.state || (isUnmarked && known.state === 'published');
      assert(isSame || mayChange || isUnmarked, `${note} was ${known.state}, and is ${state}`);
      known.id = found.id;
      known.state = isUnmarked ? 'published' : state;
    }
  }

  /** In the end, all that was staged and not withdrawn can be published. */
  async #finish(): Promise<void> {
    const step = async () => {};
    const [ann, bob, eve] = PEOPLE.map((account) => this.#openDesk({ account, step })) as [
      ReleaseDesk,
      ReleaseDesk,
      ReleaseDesk,
    ];
    const fine = async (done: Promise<unknown>) =>
      done.catch((cause) => {
        if (!(cause instanceof GuardError || cause instanceof PublishError)) throw cause;
      });
    // Two of a bundle may change the same record: each is published alone.
    for (const { id, note = '' } of await ann.store.list()) {
      this.#mayPublish.add(note);
      await fine(ann.refresh(id));
      for (const desk of [bob, eve]) await fine(desk.approve(id));
      await ann.publish([id]);
    }
    assert((await ann.store.list()).length === 0, 'nothing is left');
    this.course.push('all that was left is published');
    await this.#check();
  }
}

function assert(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(what);
}

const getDataset = ({ dataset }: Put) => DATASETS[dataset] as typeof online;

/** The figure is that of the total, and of another field for the checks of sums. */
function buildRecord({ dataset, year, figure }: Put) {
  const { example } = dataset === 0 ? online : ivr;
  const fields = Object.keys(example).filter((field) => field !== 'year' && field !== 'total');
  const figures = fields.map((field, index) => [field, index === 0 ? figure : 0]);
  return { ...Object.fromEntries(figures), year: String(year), total: figure };
}
