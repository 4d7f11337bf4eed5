import { randomBytes } from 'node:crypto';
import type {
  Candidate,
  CandidatePart,
  CandidateStore,
  Publisher,
  PublishTransaction,
} from '../../store/open-store.ts';
import { GuardError, PublishError } from '../errors.ts';
import { assertApproved, countRequired } from './approvals.ts';
import {
  deriveSalt,
  describeMove,
  describeState,
  explainLook,
  isSameChange,
  withdraw,
} from './candidate-facts.ts';
import type { ReadPart } from './candidate-files.ts';
import { checkCandidate } from './check-candidate.ts';
import { findRedeclared } from './find-redeclared.ts';
import { findLastInstant } from './list-due.ts';
import { publishTogether, StaleError } from './publish-together.ts';
import { type CandidateInput, getInput } from './run-input.ts';

export interface StageRequest extends Pick<Candidate, 'author' | 'bundle' | 'due' | 'note'> {
  readonly input: CandidateInput;
  readonly parts: readonly CandidatePart[];
  /** The candidate whose place it takes. */
  readonly replaces?: number | undefined;
}

interface PublishOptions {
  /** Why they need no approvals. */
  readonly urgent?: string | undefined;
  readonly waits?: boolean;
  readonly isScheduled?: boolean;
}

/** Prepares releases, has them approved, and publishes them. */
export class ReleaseDesk {
  constructor(
    private readonly publisher: Publisher,
    readonly store: CandidateStore,
  ) {}

  /** Checks what is to be published, and keeps it; undefined if it would change nothing. */
  async stage(request: StageRequest): Promise<Candidate | undefined> {
    const { input, parts, replaces, ...others } = request;
    const by = await this.store.findAccount();
    return this.#withLock(async (transaction) => {
      const replaced =
        replaces === undefined ? undefined : await this.#findOpen(transaction, replaces);
      const stagedAt = await readInstant(transaction);
      const salt = randomBytes(16).toString('hex');
      const origin = { stagedBy: by, stagedAt, salt, approvals: [] };
      const draft = { state: 'staged', ...others, input, ...origin } as const;
      const readPart: ReadPart = async function* (name) {
        for (const part of parts) if (part.name === name) yield part.bytes;
      };
      const checked = await checkCandidate(transaction, { ...draft, id: 0 }, readPart);
      if (checked.outcome.changes.length === 0 && input.kind !== 'review') return undefined;
      const candidate = { ...draft, ...checked.outcome };
      const all = [...parts, ...checked.parts];
      const closed = replaced && withdraw(replaced, by, stagedAt);
      if (closed) await this.#noteWithdrawal(closed);
      return { ...candidate, id: await this.store.add(candidate, all, closed) };
    });
  }

  /** Changes candidates with the write lock of publishers, and publishes nothing. */
  #withLock<T>(callback: (transaction: PublishTransaction) => Promise<T>): Promise<T> {
    return this.publisher.transaction((transaction) => {
      transaction.abandon();
      return callback(transaction);
    });
  }

  /**
   * Checks a candidate against what is current. One that would change something else loses its approvals, and one
   * that is stale stays so until it is approved.
   */
  async refresh(id: number): Promise<Candidate> {
    return this.#withLock(async (transaction) => {
      const found = await this.#findOpen(transaction, id);
      return (await this.#refresh(transaction, found)).candidate;
    });
  }

  /** `isSame` is whether it would change, under its declarations, what was looked at before. */
  async #refresh(transaction: PublishTransaction, candidate: Candidate) {
    const readPart: ReadPart = (name) => this.store.readPart(candidate.id, name);
    const checked = await checkCandidate(transaction, candidate, readPart);
    const { problem: _, ...rest } = candidate;
    const redeclared = await findRedeclared(transaction, candidate, candidate.base);
    const isSame = !redeclared && isSameChange(candidate, checked.outcome.changes);
    const approvals = isSame ? candidate.approvals : [];
    const refreshed = { ...rest, ...checked.outcome, ...redeclared, approvals };
    await this.store.update(refreshed, checked.parts);
    return { candidate: refreshed, isSame };
  }

  /** Approves what a candidate would change now. */
  async approve(id: number): Promise<Candidate> {
    const by = await this.store.findAccount();
    return this.#withLock(async (transaction) => {
      const found = await this.#findOpen(transaction, id);
      const required = await countRequired(this.store, found);
      if (by === found.stagedBy && required > 0)
        throw new GuardError(
          'own-candidate',
          `candidate ${id} was staged by ${by}, and needs the approval of another account`,
        );
      const isStale = found.staleSince !== undefined || found.problem !== undefined;
      const { candidate, isSame } = isStale
        ? await this.#refresh(transaction, found)
        : { candidate: found, isSame: true };
      if (!isSame)
        throw new GuardError('stale-candidate', `${describeMove(candidate)}: ${explainLook(id)}`);
      if (candidate.approvals.some((approval) => approval.by === by)) return candidate;
      const at = await readInstant(transaction);
      const { staleSince: _, staleReason: __, ...rest } = candidate;
      const approved = { ...rest, approvals: [...candidate.approvals, { by, at }] };
      await this.store.update(approved);
      return approved;
    });
  }

  async withdraw(id: number): Promise<Candidate> {
    const by = await this.store.findAccount();
    return this.#withLock(async (transaction) => {
      const candidate = await this.#findOpen(transaction, id);
      const at = await readInstant(transaction);
      const withdrawn = withdraw(candidate, by, at);
      await this.#noteWithdrawal(withdrawn);
      await this.store.update(withdrawn);
      return withdrawn;
    });
  }

  /** Others of a bundle that was not published are held for another reason when one of them is withdrawn. */
  async #noteWithdrawal({ id, bundle }: Candidate): Promise<void> {
    for (const other of bundle === undefined ? [] : await this.store.list())
      if (other.id !== id && other.bundle === bundle && other.problem !== undefined)
        await this.store.update({
          ...other,
          problem: `candidate ${id} of its bundle was withdrawn: ${explainLook(other.id)}`,
        });
  }

  /**
   * Publishes candidates, with all others of their bundles, as consecutive revisions in one transaction, at the
   * latest of their instants if it is to come; all or none. `isNew` is false if nothing was published: all of them were
   * published or withdrawn before, or `isScheduled` and a bundle has others by now, whose instants may be later.
   */
  async publish(
    ids: readonly number[],
    { urgent, waits = false, isScheduled = false }: PublishOptions = {},
  ): Promise<{ readonly all: readonly Candidate[]; readonly isNew: boolean }> {
    const by = await this.store.findAccount();
    try {
      const published = await this.publisher.transaction(async (transaction) => {
        const found = await this.#findWithBundles(transaction, ids);
        if (isScheduled && found.length > ids.length) return { all: found, opened: [] };
        const open = found.filter(({ state }) => state === 'staged');
        for (const candidate of open) {
          // The ledger has no entry of a review, so that it could not keep the reason.
          const isUrgent = urgent !== undefined && candidate.input.kind !== 'review';
          if (!isUrgent) await assertApproved(this.store, candidate);
        }
        const due = waits ? findLastInstant(open) : undefined;
        const revisions = await publishTogether(transaction, this.store, open, { by, urgent, due });
        const at = revisions[0]?.publishedAt ?? (await readInstant(transaction));
        const all = found.map((candidate) => {
          if (!open.includes(candidate)) return candidate;
          const own = revisions.filter(({ id }) => id === candidate.id);
          const numbers = own.map(({ revision }) => revision);
          const closed = { by, at: own[0]?.publishedAt ?? at, revisions: numbers };
          return { ...candidate, state: 'published', closed } as const;
        });
        return { all, opened: open.map(({ id }) => id) };
      });
      const { all, opened } = published;
      // If this process is ended here, the salts of the revisions tell that they are published.
      for (const candidate of all) if (opened.includes(candidate.id)) await this.#close(candidate);
      return { all, isNew: opened.length > 0 };
    } catch (cause) {
      if (!(cause instanceof StaleError)) throw cause;
      throw await this.#markStale(cause);
    }
  }

  /** Writes down why a candidate could not be published, so that it is not tried again and again. */
  async recordProblem(id: number, problem: string): Promise<void> {
    const candidate = await this.store.find(id);
    if (candidate?.state === 'staged')
      await this.store.updateUnchanged(candidate, { ...candidate, problem });
  }

  /** A candidate as it is, with what the ledger knows of it. */
  async #find(transaction: PublishTransaction, id: number): Promise<Candidate> {
    const candidate = await this.store.find(id);
    if (!candidate) throw new PublishError(`there is no candidate ${id}`);
    if (candidate.state !== 'staged') return candidate;
    const salt = deriveSalt(candidate, 0).toString('hex');
    const revision = await transaction.findBySalt(salt, candidate.base);
    if (revision === undefined) return candidate;
    const entry = await transaction.ledgerEntry(revision);
    const { publishedAt = '', options } = entry ?? {};
    const revisions = candidate.changes.map((_, index) => revision + index);
    const closed = { by: options?.release?.publishedBy ?? '', at: publishedAt, revisions };
    const published = { ...candidate, state: 'published', closed } as const;
    await this.store.update(published);
    return published;
  }

  /** Candidates, and those that are published together with them, in the order of their numbers. */
  async #findWithBundles(
    transaction: PublishTransaction,
    ids: readonly number[],
  ): Promise<Candidate[]> {
    const found = await Promise.all(ids.map((id) => this.#find(transaction, id)));
    const open = found.filter(({ state }) => state === 'staged');
    const bundles = new Set(open.flatMap(({ bundle }) => bundle ?? []));
    for (const { id, bundle } of await this.store.list())
      if (bundle !== undefined && bundles.has(bundle) && !ids.includes(id))
        found.push(await this.#find(transaction, id));
    return found.toSorted((a, b) => a.id - b.id);
  }

  async #findOpen(transaction: PublishTransaction, id: number): Promise<Candidate> {
    const candidate = await this.#find(transaction, id);
    if (candidate.state === 'staged') return candidate;
    throw new PublishError(`candidate ${id} is ${describeState(candidate)}`);
  }

  async #close(candidate: Candidate): Promise<void> {
    const input = getInput(candidate);
    if (input.kind === 'review') await this.store.setReview(input.dataset, input.approvals);
    await this.store.update(candidate);
  }

  async #markStale({ candidate, stale, message }: StaleError): Promise<GuardError> {
    const current = await this.store.find(candidate.id);
    if (current?.state === 'staged')
      await this.store.updateUnchanged(current, { ...current, ...stale, approvals: [] });
    return new GuardError('stale-candidate', message);
  }
}

const readInstant = async (transaction: Pick<PublishTransaction, 'readClock'>) =>
  new Date(await transaction.readClock()).toISOString();
