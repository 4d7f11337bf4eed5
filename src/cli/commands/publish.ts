import { describeState } from '../../publish/desk/candidate-facts.ts';
import { listDue, listOverdue } from '../../publish/desk/list-due.ts';
import type { ReleaseDesk } from '../../publish/desk/release-desk.ts';
import { GuardError, LoadValidationError, PublishError } from '../../publish/errors.ts';
import { CorePace } from '../../publish/lead-time.ts';
import { system } from '../../shared/system.ts';
import { pause } from '../../shared/wait-until.ts';
import {
  type Candidate,
  ClockSkewError,
  type Store,
  StoreBusyError,
  StoreUnavailableError,
} from '../../store/open-store.ts';
import { createAbortOnSignal } from '../abort-on-signal.ts';
import { applyPriority, NICE_OPTION } from '../apply-priority.ts';
import { type Command, type CommandCall, CommandError, UsageError } from '../command.ts';
import { pluralize } from '../format.ts';
import { formatJson, printLine, printNote } from '../output.ts';
import { PUBLISH_OPTIONS } from '../publish-options.ts';
import { withDesk } from '../with-store.ts';
import { noteStale } from './candidate.ts';

const { 'clock-skew': clockSkew, wait } = PUBLISH_OPTIONS;

export const publishCommand: Command = {
  usage: 'publish --due [--watch] [--nice] [--json]',
  summary: 'Publish the candidates whose instant has come, and say how late they are',
  options: {
    due: { help: 'Required: publish what is due' },
    watch: { help: 'Go on, and publish each candidate at its instant' },
    'clock-skew': clockSkew,
    wait,
    ...NICE_OPTION,
    json: { help: 'As lines of JSON' },
  },
  details:
    'Several may run at once: each candidate is published once. One that cannot be published at its\ninstant is named, and not tried again until somebody looks at it (tenor candidate show N --changes).',
  async run(call) {
    if (!call.options.due) throw new UsageError('--due is required');
    applyPriority(call);
    if (call.options.watch)
      return watch(call, createAbortOnSignal('what was not yet due is not published'));
    const signal = createAbortOnSignal();
    const overdue = await withDesk(
      call,
      async (desk, store) => {
        await noteStale(desk, store);
        const told = new Map<number, string>();
        await publishDue(call, desk, told);
        return noteOverdue(desk, told);
      },
      signal,
    );
    if (overdue > 0)
      throw new CommandError(`${pluralize(overdue, 'candidate')} could not be published`);
  },
};

const POLL_INTERVAL_MS = 500;

/** Publishes until a signal ends it; a database that is away is tried again. */
async function watch(call: CommandCall, signal: AbortSignal): Promise<void> {
  printNote('publishing candidates at their instants; Ctrl-C ends it');
  let trouble = '';
  const told = new Map<number, string>();
  for (;;) {
    try {
      await withDesk(
        call,
        (desk, store) => watchStore(call, desk, store, { signal, told }),
        signal,
      );
    } catch (cause) {
      signal.throwIfAborted();
      if (!isTemporary(cause)) throw cause;
      const { message } = cause as Error;
      if (message !== trouble) printNote(`${message}; trying again`);
      trouble = message;
      await pause(POLL_INTERVAL_MS, signal);
      signal.throwIfAborted();
    }
  }
}

/** The database is away or busy for a while. */
const isTemporary = (cause: unknown) =>
  cause instanceof StoreUnavailableError ||
  cause instanceof StoreBusyError ||
  // What the lock wait of a command ends with.
  (cause instanceof CommandError && cause.cause instanceof StoreBusyError);

async function watchStore(
  call: CommandCall,
  desk: ReleaseDesk,
  store: Store,
  { signal, told }: { readonly signal: AbortSignal; readonly told: Map<number, string> },
): Promise<never> {
  const pace = new CorePace();
  for (;;) {
    await noteStale(desk, store);
    await publishDue(call, desk, told, pace);
    await noteOverdue(desk, told);
    await pause(POLL_INTERVAL_MS, signal);
    signal.throwIfAborted();
  }
}

/** Publishes what is due, or soon is if a watcher waits for it at some pace. */
async function publishDue(
  call: CommandCall,
  desk: ReleaseDesk,
  told: Map<number, string>,
  pace?: CorePace,
): Promise<void> {
  const getLeadMs = (candidates: readonly Candidate[], remainingMs: number) =>
    pace ? pace.getLeadMs(candidates, remainingMs - POLL_INTERVAL_MS) + POLL_INTERVAL_MS : 0;
  const publish = async (candidates: readonly Candidate[]) => {
    const ids = candidates.map(({ id }) => id);
    const { all, isNew } = await desk.publish(ids, {
      waits: pace !== undefined,
      isScheduled: true,
    });
    if (isNew) for (const candidate of all) printPublished(call, candidate);
  };
  for (const groups of listDue(await desk.store.list(), system.now(), getLeadMs)) {
    const refusal = await catchRefusal(publish(groups.flat()));
    if (refusal === undefined) continue;
    // One that cannot be published holds up those of its bundle, and no others.
    for (const group of groups) {
      const message = groups.length > 1 ? await catchRefusal(publish(group)) : refusal;
      if (message !== undefined) await recordProblem(desk, group, message, told);
    }
  }
}

async function recordProblem(
  desk: ReleaseDesk,
  group: readonly Candidate[],
  message: string,
  told: Map<number, string>,
): Promise<void> {
  printNote(`candidate ${group.map(({ id }) => id).join(', ')}: ${message}`);
  for (const { id } of group) {
    await desk.recordProblem(id, message);
    told.set(id, message);
  }
}

/** Names each candidate that is left although its instant has passed, once for a reason; returns how many. */
async function noteOverdue(desk: ReleaseDesk, told: Map<number, string>): Promise<number> {
  const overdue = listOverdue(await desk.store.list(), system.now());
  const reasons = new Map(overdue.map(({ id, reason }) => [id, reason]));
  for (const [id, reason] of reasons)
    if (told.get(id) !== reason)
      printNote(`candidate ${id}: its instant has passed, and it is left alone: ${reason}`);
  told.clear();
  for (const [id, reason] of reasons) told.set(id, reason);
  return overdue.length;
}

/** The message of a publication that was refused; undefined if it was not. */
async function catchRefusal(publication: Promise<void>): Promise<string | undefined> {
  try {
    await publication;
    return undefined;
  } catch (cause) {
    if (!isRefusal(cause)) throw cause;
    return (cause as Error).message;
  }
}

const isRefusal = (cause: unknown) =>
  cause instanceof PublishError ||
  cause instanceof GuardError ||
  cause instanceof LoadValidationError ||
  cause instanceof ClockSkewError;

function printPublished(call: CommandCall, candidate: Candidate): void {
  const { id, due = '', closed, state } = candidate;
  const lateMs = Date.parse(closed?.at ?? '') - Date.parse(due);
  if (call.options.json) {
    const { revisions, at } = closed ?? {};
    printLine(formatJson({ candidate: id, state, revisions, publishedAt: at, due, lateMs }));
    return;
  }
  const late = lateMs >= 1_000 ? `, ${(lateMs / 1_000).toFixed(1)} s late` : '';
  printLine(`Candidate ${id} is ${describeState(candidate)}${late}.`);
}
