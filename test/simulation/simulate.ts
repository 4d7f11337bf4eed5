import { parseArgs } from 'node:util';
import { spawnChild } from '../support/spawn-child.ts';
import type { Plan } from './plan.ts';
import { Report } from './report.ts';
import { runPlan, runSeed, type SeedResult } from './run-seed.ts';
import { shrinkPlan } from './shrink.ts';

const USAGE = `Simulates servers, databases, clients and faults: one seed decides everything.

  npm run simulate -- --minutes 10         runs seeds until stopped
  npm run simulate -- --seeds 0..1999      runs these seeds
  npm run simulate -- --seed 42            runs one seed and prints what happened
  npm run simulate -- --seed 42 --shrink   finds the least of its plan that fails
  npm run simulate -- --plan FILE          runs a plan, such as a shrunk one
  npm run simulate -- --mutants            puts each fault of mutants.json into a copy of the program

  --processes N                            runs seeds in so many processes (1)
  --only TEXT                              those of --mutants that have this text (with --seeds too)
  --first N                                the first seed of --minutes (the present second)`;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    seeds: { type: 'string' },
    seed: { type: 'string' },
    plan: { type: 'string' },
    shrink: { type: 'boolean' },
    mutants: { type: 'boolean' },
    processes: { type: 'string' },
    first: { type: 'string' },
    only: { type: 'string' },
    help: { type: 'boolean' },
  },
});

/** A number that an option gives. */
function parseNumber(name: 'minutes' | 'seed' | 'processes' | 'first'): number | undefined {
  const text = values[name];
  if (text === undefined) return undefined;
  if (!/^\d+(\.\d+)?$/.test(text)) fail(`--${name} is a number, not ${text}`);
  return Number(text);
}

function fail(message: string): never {
  console.error(`${message}\n\n${USAGE}`);
  process.exit(2);
}

async function main(): Promise<void> {
  const seed = parseNumber('seed');
  if (values.mutants) {
    const { runMutants } = await import('./run-mutants.ts');
    const { seeds, only } = values;
    process.exitCode = await runMutants({ processes: parseNumber('processes'), seeds, only });
  } else if (values.plan !== undefined) replay(runPlan(await Bun.file(values.plan).json(), true));
  else if (seed !== undefined) replay(runSeed(seed, true));
  else if (values.seeds !== undefined) {
    const [first, last] = /^(\d+)\.\.(\d+)$/.exec(values.seeds)?.slice(1).map(Number) ?? [];
    if (first === undefined || last === undefined) fail('--seeds is a range, such as 0..1999');
    await runMany(first, last);
  } else if (values.minutes !== undefined) await runMany(parseNumber('first') ?? nowSeconds());
  else fail('one of --minutes, --seeds, --seed, --plan and --mutants is needed');
}

function nowSeconds(): number {
  return Math.floor(startedMs / 1_000);
}

/** Prints what happened; exits with 1 where it fails. */
function replay({ plan, trace, failure, hash }: SeedResult): void {
  for (const line of trace) console.log(line);
  console.log(`options ${JSON.stringify(plan.options)}\nhash ${hash}`);
  if (!failure) return;
  console.log(`FAILED ${failure.property}\n  ${failure.message}`);
  process.exitCode = 1;
  if (!values.shrink) return;
  const shrunk = shrinkPlan(plan, failure.property);
  console.log(`${shrunk.steps.length} of ${plan.steps.length} steps are enough:`);
  console.log(JSON.stringify(shrunk));
}

/** Runs seeds from one on, until the last one, the time is over, or one fails. */
async function runMany(first: number, last = Number.POSITIVE_INFINITY): Promise<void> {
  const minutes = parseNumber('minutes');
  const deadlineMs =
    minutes === undefined ? Number.POSITIVE_INFINITY : startedMs + minutes * 60_000;
  const count = parseNumber('processes') ?? 1;
  const report = new Report();
  if (count > 1) await runInProcesses(count, first, last, report);
  else
    for (let seed = first; seed <= last && wallClock() < deadlineMs; seed++) {
      const result = runSeed(seed);
      report.add(result);
      if (result.failure) {
        printFailure(result);
        process.exitCode = 1;
        break;
      }
      // Rejections that nothing handles are reported between turns.
      await new Promise((resolve) => setImmediate(resolve));
    }
  console.log(isChild ? JSON.stringify(report.toJson()) : report.format(wallClock() - startedMs));
}

/** Each process takes every so-manieth seed. */
async function runInProcesses(
  count: number,
  first: number,
  last: number,
  report: Report,
): Promise<void> {
  const size =
    last === Number.POSITIVE_INFINITY ? 1_000_000 : Math.ceil((last - first + 1) / count);
  const children = Array.from({ length: count }, (_, index) => {
    const from = first + index * size;
    const range = `${from}..${Math.min(from + size - 1, last)}`;
    const limits = values.minutes === undefined ? [] : ['--minutes', values.minutes];
    return spawnChild([process.execPath, import.meta.path, '--seeds', range, ...limits], {
      env: { ...process.env, SIMULATION_CHILD: '1' },
      stdout: 'pipe',
      stderr: 'inherit',
    });
  });
  for (const child of children) {
    const lines = (await new Response(child.stdout).text()).trimEnd().split('\n');
    report.addJson(JSON.parse(lines.pop() ?? '{}'));
    for (const line of lines) console.log(line);
    if ((await child.exited) !== 0) process.exitCode = 1;
  }
}

function printFailure({ plan, failure }: SeedResult & { plan: Plan }): void {
  console.log(`seed ${plan.seed} FAILED: ${failure?.property}\n  ${failure?.message}`);
  console.log(`  options ${JSON.stringify(plan.options)}`);
  console.log(`  npm run simulate -- --seed ${plan.seed} --shrink`);
}

/** The real clock: the simulation replaces `system`, not this. */
function wallClock(): number {
  return Date.now();
}

const startedMs = wallClock();
const isChild = process.env.SIMULATION_CHILD === '1';
process.on('unhandledRejection', (cause) => {
  console.log(
    `FAILED nothing rejects unhandled\n  ${cause instanceof Error ? cause.stack : cause}`,
  );
  process.exit(1);
});
if (values.help) console.log(USAGE);
else await main();
