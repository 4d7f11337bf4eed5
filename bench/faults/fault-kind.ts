import { drawChange, type SimulatedChange } from '../../test/simulation/model.ts';
import { type DrawnKind, drawSteps, type Step } from '../../test/simulation/plan.ts';
import { Random } from '../../test/simulation/random.ts';
import type { RealWorld } from './real-world.ts';

export const CLIENTS = 4;
const STEPS_PER_SECOND = 0.75;

export interface PlanOptions {
  readonly durationMs: number;
}

/** A step over real processes, which ends by itself. */
export interface RealStep<Run, Parameters = object> extends DrawnKind<PlanOptions> {
  draw(random: Random, options: PlanOptions): Parameters & object;
  /** Steps that concern the same thing wait for each other. */
  concerns(parameters: Parameters): readonly string[];
  /** Returns false where there is nothing to do any more. */
  apply(run: Run, parameters: Parameters): Promise<unknown>;
}

export type RealSteps<Run> = Readonly<Record<string, RealStep<Run>>>;

/** Processes that were started for a run. */
export interface FaultRun {
  readonly world: RealWorld;
  /** The databases that `tenor check` is to find no fault in, where they are not those served. */
  checkedSettings?: Readonly<Record<string, string>>;
  /** Ends all but the server. */
  stop(): Promise<void>;
}

/** A kind of faults, such as those of replicas. */
export interface FaultKind<Run extends FaultRun> {
  /** Why it cannot run here, if it cannot. */
  explainMissing(): string | undefined;
  readonly steps: RealSteps<Run>;
  /** A step that comes once in each plan, and after which part of that time. */
  readonly once?: { readonly kind: string; readonly after: number };
  start(seed: number): Promise<Run>;
}

/** Hides the type of the parameters, which are written by `draw` and read by `apply`. */
export function defineRealStep<Run, Parameters extends object>(
  step: RealStep<Run, Parameters>,
): RealStep<Run> {
  return step as unknown as RealStep<Run>;
}

/** Hides what a kind starts, which only its own steps use. */
export function hideRun<Run extends FaultRun>(kind: FaultKind<Run>): FaultKind<FaultRun> {
  return kind as unknown as FaultKind<FaultRun>;
}

/** The same for the same seed, on every machine; when its steps end is not. */
export function drawRealPlan<Run extends FaultRun>(
  { steps, once }: Pick<FaultKind<Run>, 'steps' | 'once'>,
  seed: number,
  minutes: number,
): readonly Step[] {
  const random = new Random(seed);
  const options = { durationMs: Math.round(minutes * 60_000) };
  const count = Math.ceil((options.durationMs / 1_000) * STEPS_PER_SECOND);
  const drawn = drawSteps(random, steps, options, count);
  if (!once) return drawn;
  const atMs = Math.round(options.durationMs * once.after);
  const step = { atMs, kind: once.kind, ...steps[once.kind]?.draw(random, options) };
  return [...drawn, step].toSorted((a, b) => a.atMs - b.atMs);
}

/** Publications, which all kinds have. */
export const publish = defineRealStep<FaultRun, { readonly change: SimulatedChange }>({
  weight: () => 10,
  draw: (random) => ({ change: drawChange(random) }),
  concerns: () => ['publications'],
  apply: ({ world }, { change }) => world.publish(change),
});

/** Faults of the server's processes, which all kinds have. */
export const serverSteps: RealSteps<FaultRun> = {
  'kill worker': defineRealStep<FaultRun, { readonly worker: number }>({
    weight: () => 1,
    isFault: true,
    draw: (random) => ({ worker: random.integer(0, 1) }),
    concerns: () => ['server'],
    apply: ({ world }, { worker }) =>
      world.disturb('kill worker', async () => {
        const pid = world.server.findWorker(worker);
        if (pid !== undefined) await endWorker(world, pid, 'SIGKILL');
      }),
  }),
  'stop worker': defineRealStep<FaultRun, { readonly worker: number; readonly ms: number }>({
    weight: () => 0.6,
    isFault: true,
    draw: (random) => ({ worker: random.integer(0, 1), ms: random.integer(200, 3_500) }),
    concerns: () => ['server'],
    apply: ({ world }, { worker, ms }) =>
      world.disturb('stop worker', async () => {
        const pid = world.server.findWorker(worker);
        if (pid === undefined) return;
        process.kill(pid, 'SIGSTOP');
        await Bun.sleep(ms);
        // The supervisor may have replaced it meanwhile.
        await endWorker(world, pid, 'SIGCONT').catch(() => {});
      }),
  }),
  'restart server': defineRealStep<FaultRun, { readonly signal: NodeJS.Signals }>({
    weight: () => 0.4,
    isFault: true,
    draw: (random) => ({ signal: random.pick(['SIGTERM', 'SIGKILL']) }),
    concerns: () => ['server'],
    apply: ({ world }, { signal }) =>
      world.disturb('restart server', async () => {
        for (const bug of await world.server.stop(signal)) world.fail('no bug is logged', bug);
        await world.server.start(() => !world.isOver);
      }),
  }),
  'revoke token': defineRealStep<FaultRun, { readonly client: number }>({
    weight: () => 1,
    draw: (random) => ({ client: random.integer(0, CLIENTS - 1) }),
    concerns: () => ['tokens'],
    apply: ({ world }, { client }) => world.revokeToken(client),
  }),
};

async function endWorker({ server }: RealWorld, pid: number, signal: NodeJS.Signals) {
  process.kill(pid, signal);
  // The log tells of it with a delay.
  await Bun.sleep(300);
  await server.waitForWorkers();
}
