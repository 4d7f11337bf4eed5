import { Random } from './random.ts';
import type { World } from './world.ts';

/** What a seed decides before anything runs. */
export interface WorldOptions {
  readonly engine: 'file' | 'postgres';
  readonly servers: number;
  /** Database servers: a primary, and its replicas. */
  readonly databases: number;
  /** Workers of each server. */
  readonly workers: number;
  /** Whether workers tell each other of their use of limits, ten times a second. */
  readonly sharesUsage: boolean;
  readonly clients: number;
  /** Revisions that are there at the start. */
  readonly revisions: number;
  /** Statements take up to this long even without a fault; 0 where results are there at once. */
  readonly statementMs: number;
  /** Steps come until then; after that, faults end. */
  readonly durationMs: number;
  readonly hasTabs: boolean;
}

/** One thing that is done at a time: plain data, so that a plan can be printed and shrunk. */
export interface Step {
  readonly atMs: number;
  readonly kind: string;
  readonly [parameter: string]: unknown;
}

export interface Plan {
  readonly seed: number;
  readonly options: WorldOptions;
  readonly steps: readonly Step[];
}

/** A kind of step: how it is drawn from a seed, and what it does. */
export interface StepKind<Parameters extends object = object> extends DrawnKind<WorldOptions> {
  draw(random: Random, options: WorldOptions): Parameters;
  apply(world: World, parameters: Parameters): void;
}

/** How steps of a kind are drawn, whichever world they are for. */
interface DrawnKind<Options> {
  /** How often it comes, compared with others; 0 where the options have no use for it. */
  weight(options: Options): number;
  /** Whether it is a fault, which the report counts. */
  readonly isFault?: boolean;
  draw(random: Random, options: Options): object;
}

export type StepKinds = Readonly<Record<string, StepKind>>;

/** Hides the type of the parameters, which are written by `draw` and read by `apply`. */
export function defineStep<Parameters extends object>(kind: StepKind<Parameters>): StepKind {
  return kind as unknown as StepKind;
}

/** Draws a plan. Its chance is apart from that of the scheduler, so that both can be changed alone. */
export function drawPlan(seed: number, kinds: StepKinds): Plan {
  const random = new Random(seed ^ 0x5bd1e995);
  const options = drawTabs(new Random(seed ^ 0x27d4eb2f), drawOptions(random));
  return { seed, options, steps: drawSteps(random, kinds, options, random.integer(8, 45)) };
}

/** Draws so many steps, in the order of their times. */
function drawSteps<Options extends { readonly durationMs: number }>(
  random: Random,
  kinds: Readonly<Record<string, DrawnKind<Options>>>,
  options: Options,
  count: number,
): Step[] {
  const weights = Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [name, kind.weight(options)]),
  );
  const steps = Array.from({ length: count }, (): Step => {
    const kind = random.pickWeighted(weights);
    const parameters = kinds[kind]?.draw(random, options);
    return { atMs: random.integer(0, options.durationMs), kind, ...parameters };
  });
  return steps.toSorted((a, b) => a.atMs - b.atMs);
}

function drawOptions(random: Random): WorldOptions {
  const engine = random.isLikely(0.35) ? 'postgres' : 'file';
  return {
    engine,
    databases: random.integer(1, 3),
    servers: random.integer(1, 2),
    // Every worker has connections to every database server.
    workers: random.integer(1, engine === 'file' ? 3 : 2),
    sharesUsage: random.isLikely(0.1),
    clients: random.integer(1, 3),
    revisions: random.integer(0, 4),
    statementMs: random.pick([0, 0, random.integer(1, 30), random.integer(30, 250)]),
    durationMs: random.integer(1_500, 5_000),
    hasTabs: false,
  };
}

/**
 * Some worlds have tabs, which take their time, instead of other clients. Few of them are over
 * PostgreSQL servers, whose heartbeats cost much in that time.
 */
function drawTabs(random: Random, options: WorldOptions): WorldOptions {
  if (!random.isLikely(0.15)) return options;
  return {
    ...options,
    hasTabs: true,
    engine: random.isLikely(0.2) ? options.engine : 'file',
    clients: 1,
    durationMs: random.integer(4_000, 25_000),
  };
}
