import { createHash, randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { Catalogue } from '../../catalogue/catalogues.ts';
import { datasets } from '../../catalogue/datasets/datasets.ts';
import { catalogue } from '../../catalogue/index.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { getKeyValues, getStorageTable } from '../../schema/storage-table.ts';
import { system } from '../../shared/system.ts';
import { createTemporaryFolder } from '../../shared/temporary-folder.ts';
import {
  type Candidate,
  type CandidatePart,
  type CandidateStore,
  formatKey,
  type Publisher,
  type PublishTransaction,
  type Release,
  type StoreReader,
} from '../../store/open-store.ts';
import { splitSealedText } from '../../store/sealed-text.ts';
import { GuardError, PublishError } from '../errors.ts';
import { packBytes, type ReadPart, unpackBytes } from './candidate-files.ts';
import {
  type DeferredChange,
  deferRecording,
  LineRecorder,
  recordDeferred,
} from './defer-recording.ts';
import { type CandidateInput, getInput, joinFolder, runInput } from './run-input.ts';

export interface StageRequest extends Pick<Candidate, 'author' | 'bundle' | 'due' | 'note'> {
  readonly input: CandidateInput;
  readonly parts: readonly CandidatePart[];
  /** The candidate whose place it takes. */
  readonly replaces?: number | undefined;
}

/** Prepares releases, has them approved, and publishes them. */
export class ReleaseDesk {
  constructor(
    private readonly publisher: Publisher,
    readonly store: CandidateStore,
  ) {}

  /** Checks what is to be published, and keeps it; undefined if it would change nothing. */
  async stage({
    input,
    parts,
    replaces,
    ...request
  }: StageRequest): Promise<Candidate | undefined> {
    const by = await this.store.findAccount();
    return this.publisher.transaction(async (transaction) => {
      transaction.abandon();
      const replaced =
        replaces === undefined ? undefined : await this.#findOpen(transaction, replaces);
      const stagedAt = new Date(await transaction.readClock()).toISOString();
      const draft = {
        state: 'staged',
        ...request,
        input,
        stagedBy: by,
        stagedAt,
        salt: randomBytes(16).toString('hex'),
        approvals: [],
      } as const;
      const readPart: ReadPart = async function* (name) {
        for (const part of parts) if (part.name === name) yield part.bytes;
      };
      const checked = await this.#check(transaction, { ...draft, id: 0 }, readPart);
      if (checked.changes.length === 0 && input.kind !== 'review') return undefined;
      const candidate = { ...draft, ...checked.outcome };
      const all = [...parts, ...checked.parts];
      if (!replaced) return { ...candidate, id: await this.store.add(candidate, all) };
      await this.store.update({ ...replaced, state: 'withdrawn', closed: { by, at: stagedAt } });
      return { ...candidate, id: await this.store.add(candidate, all) };
    });
  }

  /** Checks a candidate against what is current; one that would change something else loses its approvals. */
  async refresh(id: number): Promise<Candidate> {
    return this.publisher.transaction(async (transaction) => {
      transaction.abandon();
      return this.#refresh(transaction, await this.#findOpen(transaction, id));
    });
  }

  async #refresh(transaction: PublishTransaction, candidate: Candidate): Promise<Candidate> {
    const readPart: ReadPart = (name) => this.store.readPart(candidate.id, name);
    const checked = await this.#check(transaction, candidate, readPart);
    const { problem: _, staleSince: __, ...rest } = candidate;
    const isSame = isSameChange(candidate, checked.changes);
    const refreshed = {
      ...rest,
      ...checked.outcome,
      approvals: isSame ? candidate.approvals : [],
    };
    await this.store.update(refreshed, checked.parts);
    return refreshed;
  }

  /** Approves what a candidate would change now. */
  async approve(id: number): Promise<Candidate> {
    const by = await this.store.findAccount();
    return this.publisher.transaction(async (transaction) => {
      transaction.abandon();
      const found = await this.#findOpen(transaction, id);
      const required = await this.countRequired(found);
      if (by === found.stagedBy && required > 0)
        throw new GuardError(
          'own-candidate',
          `candidate ${id} was staged by ${by}, and needs the approval of another account`,
        );
      const isStale = found.staleSince !== undefined || found.problem !== undefined;
      const candidate = isStale ? await this.#refresh(transaction, found) : found;
      if (isStale && !isSameChange(found, candidate.changes))
        throw new GuardError(
          'stale-candidate',
          `records that candidate ${id} touches have changed, and it would change others now: look at it again (tenor candidate show ${id} --changes), then approve it`,
        );
      if (candidate.approvals.some((approval) => approval.by === by)) return candidate;
      const at = new Date(await transaction.readClock()).toISOString();
      const approved = { ...candidate, approvals: [...candidate.approvals, { by, at }] };
      await this.store.update(approved);
      return approved;
    });
  }

  async withdraw(id: number): Promise<Candidate> {
    const by = await this.store.findAccount();
    return this.publisher.transaction(async (transaction) => {
      transaction.abandon();
      const candidate = await this.#findOpen(transaction, id);
      const at = new Date(await transaction.readClock()).toISOString();
      const withdrawn = { ...candidate, state: 'withdrawn', closed: { by, at } } as const;
      await this.store.update(withdrawn);
      return withdrawn;
    });
  }

  /** How many approvals a candidate needs by others than who staged it. */
  async countRequired(candidate: Pick<Candidate, 'input' | 'changes'>): Promise<number> {
    const reviews = await this.store.reviews();
    return Math.max(0, ...listAffected(candidate).map((name) => reviews.get(name) ?? 0));
  }

  /** The candidates that are published together with one, itself included. */
  async findBundle({ id, bundle }: Candidate): Promise<Candidate[]> {
    const open = await this.store.list();
    return open.filter(
      (each) => each.id === id || (bundle !== undefined && each.bundle === bundle),
    );
  }

  /**
   * Publishes candidates as consecutive revisions in one transaction, at the latest of their instants if
   * it is to come; all or none. `isNew` is false if all of them were published or withdrawn before.
   */
  async publish(
    ids: readonly number[],
    {
      urgent,
      waits = false,
    }: { readonly urgent?: string | undefined; readonly waits?: boolean } = {},
  ): Promise<{ readonly all: readonly Candidate[]; readonly isNew: boolean }> {
    const by = await this.store.findAccount();
    const folder = createTemporaryFolder();
    try {
      const published = await this.publisher.transaction(async (transaction) => {
        const found = await Promise.all(ids.map((id) => this.#find(transaction, id)));
        const open = found.filter(({ state }) => state === 'staged');
        const deferred: DeferredChange[] = [];
        for (const candidate of open) {
          await this.#assertApproved(candidate, urgent);
          rmSync(joinFolder(folder, candidate.id), { recursive: true, force: true });
          await this.#run(transaction, candidate, folder, deferred);
          const own = deferred.filter(({ id }) => id === candidate.id);
          if (!isSameChange(candidate, toChanges(own))) throw new StaleError(candidate);
        }
        const instants = open.flatMap(({ due }) => (due === undefined ? [] : [Date.parse(due)]));
        const due = waits && instants.length > 0 ? new Date(Math.max(...instants)) : undefined;
        const numbers = deferred.map(({ staged }) => staged.revision);
        const bundled = open.some(({ bundle }) => bundle !== undefined) && numbers.length > 1;
        const range = bundled
          ? { first: numbers[0] as number, last: numbers.at(-1) as number }
          : {};
        const revisions = await recordDeferred(deferred, due, ({ id }, index) => {
          const candidate = open.find((each) => each.id === id) as Candidate;
          const position = deferred.slice(0, index).filter((each) => each.id === id).length;
          const release = describeRelease(candidate, { by, urgent, ...range });
          return { release, salt: deriveSalt(candidate, position) };
        });
        const at =
          revisions[0]?.publishedAt ?? new Date(await transaction.readClock()).toISOString();
        const all = found.map((candidate) => {
          if (!open.includes(candidate)) return candidate;
          const own = numbers.filter((_, index) => deferred[index]?.id === candidate.id);
          return { ...candidate, state: 'published', closed: { by, at, revisions: own } } as const;
        });
        return { all, isNew: open.length > 0 };
      });
      // If this process is ended here, the salts of the revisions tell that they are published.
      if (published.isNew) for (const candidate of published.all) await this.#close(candidate);
      return published;
    } catch (cause) {
      if (!(cause instanceof StaleError)) throw cause;
      throw await this.#markStale(cause.candidate);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** Writes down why a candidate could not be published, so that it is not tried again and again. */
  async recordProblem(id: number, problem: string): Promise<void> {
    const candidate = await this.store.find(id);
    if (candidate?.state === 'staged') await this.store.update({ ...candidate, problem });
  }

  /** Finds candidates that touch records which were changed since; returns those that are stale now. */
  async findStale(reader: StoreReader): Promise<Candidate[]> {
    const newest = await reader.revision();
    const behind = (await this.store.list()).filter(
      ({ comparedWith, staleSince }) => staleSince === undefined && comparedWith < newest,
    );
    if (behind.length === 0) return [];
    const known = new Catalogue(catalogue, await reader.declarations(newest));
    const found = new Map<string, ReturnType<FindChanged>>();
    // Many candidates were compared with the same revision.
    const findChanged: FindChanged = (name, since) =>
      found.getOrInsertComputed(`${since} ${name}`, () =>
        findChangedKeys(reader, known.find(name), { since, until: newest }),
      );
    const stale: Candidate[] = [];
    for (const candidate of behind) {
      // It is published, and the process that did it ended before it said so.
      const salt = deriveSalt(candidate, 0).toString('hex');
      if ((await reader.findBySalt(salt, candidate.base)) !== undefined) continue;
      const since = await this.#findTouched(reader, findChanged, candidate);
      const { approvals } = candidate;
      const compared = {
        ...candidate,
        comparedWith: newest,
        ...(since && { staleSince: since, approvals: [] }),
        ...(!since && { approvals }),
      };
      const current = await this.store.find(candidate.id);
      // Somebody has changed it meanwhile: it is looked at again.
      if (!Bun.deepEquals(current, candidate)) continue;
      await this.store.update(compared);
      if (since) stale.push(compared);
    }
    return stale;
  }

  /** The last revision if it or one before it changed records of a candidate; otherwise undefined. */
  async #findTouched(
    reader: StoreReader,
    findChanged: FindChanged,
    { id, changes, comparedWith }: Candidate,
  ): Promise<number | undefined> {
    for (const { dataset: name, replace } of changes) {
      const [last] = await reader.revisions({ datasets: [name], limit: 1 });
      if (!last || last.revision <= comparedWith) continue;
      const changed = replace ? undefined : await findChanged(name, comparedWith);
      if (!changed) return last.revision;
      for await (const key of this.readLines(id, `keys ${name}`))
        if (changed.has(key)) return last.revision;
    }
    return undefined;
  }

  /** The lines of a part. */
  async *readLines(id: number, part: string): AsyncGenerator<string> {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const bytes of unpackBytes((name) => this.store.readPart(id, name), part)) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
    if (rest !== '') yield rest;
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
    const by = options?.release?.publishedBy ?? '';
    const closed = {
      by,
      at: publishedAt,
      revisions: candidate.changes.map((_, index) => revision + index),
    };
    const published = { ...candidate, state: 'published', closed } as const;
    await this.store.update(published);
    return published;
  }

  async #findOpen(transaction: PublishTransaction, id: number): Promise<Candidate> {
    const candidate = await this.#find(transaction, id);
    if (candidate.state === 'staged') return candidate;
    throw new PublishError(`candidate ${id} is ${describeState(candidate)}`);
  }

  async #assertApproved(candidate: Candidate, urgent: string | undefined): Promise<void> {
    const { id, approvals, stagedBy, staleSince, input } = candidate;
    if (urgent !== undefined) return;
    if (staleSince !== undefined)
      throw new GuardError(
        'stale-candidate',
        `revision ${staleSince} changed records that candidate ${id} touches: look at it again (tenor candidate show ${id} --changes), then approve it`,
      );
    const required = await this.countRequired(candidate);
    const given = new Set(approvals.map(({ by }) => by).filter((by) => by !== stagedBy)).size;
    if (given < required)
      throw new GuardError(
        'needs-approval',
        `candidate ${id} needs ${required - given} more ${required - given === 1 ? 'approval' : 'approvals'} by others than ${stagedBy}${input.kind === 'review' ? '' : '; --urgent REASON publishes it without, and the ledger keeps the reason'}`,
      );
  }

  /** Runs a candidate without effect, and describes what it would change. */
  async #check(
    transaction: PublishTransaction,
    candidate: Omit<Candidate, 'base' | 'changes' | 'report' | 'leadMs' | 'comparedWith'>,
    readPart: ReadPart,
  ) {
    const startMs = system.monotonicNow();
    const folder = createTemporaryFolder();
    try {
      const recorder = new LineRecorder();
      const deferred: DeferredChange[] = [];
      const base = await transaction.revision();
      const own = deferRecording(transaction, candidate.id, deferred, recorder);
      const context = { candidate, readPart, folder: joinFolder(folder, candidate.id) };
      const report = await runInput(own, context);
      const skewMs = (await transaction.readClock()) - system.now();
      const leadMs = (system.monotonicNow() - startMs) * LEAD_FACTOR + MIN_LEAD_MS + skewMs;
      const changes = toChanges(deferred);
      const parts: CandidatePart[] = [];
      const pack = (name: string, lines: readonly string[]) =>
        packBytes(parts, name, joinLines(lines));
      for (const { dataset } of changes) {
        await pack(`changes ${dataset}`, recorder.lines.get(dataset) ?? []);
        await pack(`keys ${dataset}`, recorder.keys.get(dataset) ?? []);
      }
      const outcome = { base, comparedWith: base, changes, report, leadMs: Math.ceil(leadMs) };
      return { outcome, changes, parts };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  async #run(
    transaction: PublishTransaction,
    candidate: Candidate,
    folder: string,
    deferred: DeferredChange[],
  ): Promise<void> {
    const readPart: ReadPart = (name) => this.store.readPart(candidate.id, name);
    const own = deferRecording(transaction, candidate.id, deferred);
    await runInput(own, { candidate, readPart, folder: joinFolder(folder, candidate.id) });
  }

  async #close(candidate: Candidate): Promise<void> {
    const input = getInput(candidate);
    if (input.kind === 'review') await this.store.setReview(input.dataset, input.approvals);
    await this.store.update(candidate);
  }

  async #markStale(candidate: Candidate): Promise<GuardError> {
    const staleSince = candidate.comparedWith + 1;
    const current = await this.store.find(candidate.id);
    if (current?.state === 'staged')
      await this.store.update({ ...current, staleSince, approvals: [] });
    return new GuardError(
      'stale-candidate',
      `candidate ${candidate.id} would change other records than those that were looked at, since others were published meanwhile: look at it again (tenor candidate show ${candidate.id} --changes), then approve it`,
    );
  }
}

/** The keys of the records of a dataset that changed since a revision; undefined if it is no more. */
type FindChanged = (name: string, since: number) => Promise<ReadonlySet<string> | undefined>;

async function findChangedKeys(
  reader: StoreReader,
  dataset: Dataset | undefined,
  range: { readonly since: number; readonly until: number },
): Promise<ReadonlySet<string> | undefined> {
  if (!dataset) return undefined;
  const table = getStorageTable(dataset);
  const keys = new Set<string>();
  let after: Parameters<StoreReader['netChanges']>[1]['after'];
  do {
    const found = await reader.netChanges(dataset, { ...range, limit: 5_000, after });
    for (const { old, new: current } of found.changes)
      for (const text of [old, current]) {
        if (text === null) continue;
        const record: AnyRecord = JSON.parse(splitSealedText(text).json);
        keys.add(formatKey(getKeyValues(table, record)));
      }
    after = found.last;
  } while (after);
  return keys;
}

/** The second run may take longer, and must open the database first. */
const [LEAD_FACTOR, MIN_LEAD_MS] = [1.5, 1_000];

/** What a candidate would change is not what it was when it was checked. */
class StaleError extends Error {
  constructor(readonly candidate: Candidate) {
    super(`candidate ${candidate.id} is stale`);
  }
}

function toChanges(deferred: readonly DeferredChange[]): Candidate['changes'] {
  return deferred.map(({ dataset, replace, staged: { counts, digest } }) => {
    const { added, corrected, retired, unchanged } = counts;
    return { dataset: dataset.name, digest, replace, added, corrected, retired, unchanged };
  });
}

function isSameChange(
  candidate: Pick<Candidate, 'changes'>,
  changes: Candidate['changes'],
): boolean {
  const describe = (each: Candidate['changes']) =>
    each.map(({ dataset, digest }) => `${dataset} ${digest}`).join();
  return describe(candidate.changes) === describe(changes);
}

/** The datasets whose records or declarations a candidate changes, by name. */
function listAffected(candidate: Pick<Candidate, 'input' | 'changes'>): string[] {
  const input = getInput(candidate);
  const names = candidate.changes.map(({ dataset }) => dataset);
  if (input.kind === 'review') names.push(input.dataset);
  if (input.kind === 'retire-dataset') names.push(input.name);
  if (input.kind === 'declare')
    names.push(...input.declarations.map((value) => String((value as { name?: unknown })?.name)));
  return names.filter((name) => name !== datasets.name || input.kind !== 'declare');
}

function describeRelease(
  { note, stagedBy, approvals, due }: Candidate,
  {
    by,
    urgent,
    ...range
  }: { by: string; urgent: string | undefined; first?: number; last?: number },
): Release {
  const approvedBy = approvals.map((approval) => approval.by);
  return {
    ...(note !== undefined && { note }),
    stagedBy,
    ...(approvedBy.length > 0 && { approvedBy }),
    publishedBy: by,
    ...(urgent !== undefined && { urgent }),
    ...(due !== undefined && { due }),
    ...range,
  };
}

/** The salt of the entry of a revision of a candidate, by which it is known to be published. */
function deriveSalt({ salt }: Pick<Candidate, 'salt'>, position: number): Buffer {
  return createHash('sha256').update(`${salt} ${position}`).digest().subarray(0, 16);
}

export function describeState({ state, closed }: Candidate): string {
  if (state === 'staged') return state;
  const revisions = closed?.revisions ?? [];
  const as = revisions.length > 0 ? ` as revision ${revisions.join(' and ')}` : '';
  return `${state}${as}, by ${closed?.by} at ${closed?.at}`;
}

const LINES_AT_ONCE = 1_000;

function* joinLines(lines: readonly string[]): Generator<Uint8Array> {
  for (let start = 0; start < lines.length; start += LINES_AT_ONCE)
    yield Buffer.from(
      lines
        .slice(start, start + LINES_AT_ONCE)
        .map((line) => `${line}\n`)
        .join(''),
    );
}
