import { describeState } from '../../publish/desk/candidate-facts.ts';
import type { ReleaseDesk } from '../../publish/desk/release-desk.ts';
import { GuardError, LoadValidationError, PublishError } from '../../publish/errors.ts';
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
import { type Command, type CommandCall, CommandError, UsageError } from '../command.ts';
import { pluralize } from '../format.ts';
import { lowerPriority } from '../lower-priority.ts';
import { formatJson, printLine, printNote } from '../output.ts';
import { PUBLISH_OPTIONS } from '../publish-options.ts';
import { withDesk } from '../with-store.ts';
import { noteStale } from './candidate.ts';

const { 'clock-skew': clockSkew, wait } = PUBLISH_OPTIONS;

export const publishCommand: Command = {
  usage: 'publish --due [--watch] [--json]',
  summary: 'Publish the candidates whose instant has come, and say how late they are',
  options: {
    due: { help: 'Required: publish what is due' },
    watch: { help: 'Go on, and publish each candidate at its instant' },
    'clock-skew': clockSkew,
    wait,
    json: { help: 'As lines of JSON' },
  },
  details:
    'Several may run at once: each candidate is published once. One that cannot be published at its\ninstant is named, and not tried again until somebody looks at it (tenor candidate show N --changes).',
  async run(call) {
    if (!call.options.due) throw new UsageError('--due is required');
    if (call.options.watch)
      return watch(call, createAbortOnSignal('what was not yet due is not published'));
    const signal = createAbortOnSignal();
    const failed = await withDesk(
      call,
      async (desk, store) => {
        await noteStale(desk, store);
        return publishDue(call, desk, 0);
      },
      signal,
    );
    if (failed > 0)
      throw new CommandError(`${pluralize(failed, 'candidate')} could not be published`);
  },
};

const POLL_INTERVAL_MS = 500;

/** Publishes until a signal ends it; a database that is away is tried again. */
async function watch(call: CommandCall, signal: AbortSignal): Promise<void> {
  lowerPriority();
  printNote('publishing candidates at their instants; Ctrl-C ends it');
  let trouble = '';
  for (;;) {
    try {
      await withDesk(call, (desk, store) => watchStore(call, desk, store, signal), signal);
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
  signal: AbortSignal,
): Promise<never> {
  for (;;) {
    await noteStale(desk, store);
    await publishDue(call, desk, POLL_INTERVAL_MS);
    await pause(POLL_INTERVAL_MS, signal);
    signal.throwIfAborted();
  }
}

/** Publishes what is due, or soon is; returns how many candidates could not be published. */
async function publishDue(call: CommandCall, desk: ReleaseDesk, aheadMs: number): Promise<number> {
  let failed = 0;
  for (const group of await listDue(desk, aheadMs)) {
    const ids = group.map(({ id }) => id);
    try {
      const { all, isNew } = await desk.publish(ids, { waits: aheadMs > 0, isScheduled: true });
      if (isNew) for (const candidate of all) printPublished(call, candidate);
    } catch (cause) {
      if (!isRefusal(cause)) throw cause;
      failed += ids.length;
      const { message } = cause as Error;
      printNote(`candidate ${ids.join(', ')}: ${message}`);
      for (const id of ids) await desk.recordProblem(id, message);
    }
  }
  return failed;
}

const isRefusal = (cause: unknown) =>
  cause instanceof PublishError ||
  cause instanceof GuardError ||
  cause instanceof LoadValidationError ||
  cause instanceof ClockSkewError;

/** The candidates whose publication has to begin by now, those of a bundle together. */
async function listDue(desk: ReleaseDesk, aheadMs: number): Promise<Candidate[][]> {
  const groups = Map.groupBy(await desk.store.list(), ({ id, bundle }) => bundle ?? id);
  const now = system.now();
  return groups
    .values()
    .filter((group) => group.every(({ problem }) => problem === undefined))
    .filter((group) => {
      const instants = group.map(({ due }) => (due === undefined ? Number.NaN : Date.parse(due)));
      const leadMs = group.reduce((sum, each) => sum + each.leadMs, 0);
      // A bundle waits for the last of its instants, and for all of them to be known.
      const begin = Math.max(...instants) - (aheadMs > 0 ? leadMs + aheadMs : 0);
      return begin <= now;
    })
    .toArray();
}

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
