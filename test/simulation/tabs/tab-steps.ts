import { defineStep, type StepKind, type StepKinds, type WorldOptions } from '../plan.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import type { NetworkFaults } from './network.ts';
import type { SimulatedPage } from './page.ts';
import { Tabs } from './tabs.ts';

interface TabName {
  readonly tab: number;
}

const ifTabs =
  (weight: number) =>
  ({ hasTabs }: WorldOptions) =>
    hasTabs ? weight : 0;
const drawTab = (random: Random): TabName => ({ tab: random.integer(0, 9) });
const drawMs = (random: Random) =>
  random.isLikely(0.2) ? random.integer(10_000, 240_000) : random.integer(100, 9_000);

/** A step of one tab. */
function defineTabStep<Parameters extends object>(
  weight: number,
  draw: (random: Random) => Parameters,
  apply: (page: SimulatedPage, parameters: Parameters, world: World) => void,
): StepKind {
  return defineStep<Parameters & TabName>({
    weight: ifTabs(weight),
    draw: (random) => ({ ...drawTab(random), ...draw(random) }),
    apply(world, parameters) {
      const page = world.getPart(Tabs).find(parameters.tab);
      if (page) apply(page, parameters, world);
    },
  });
}

/** What visitors do with tabs, and what browsers and networks do to them. */
export const tabSteps: StepKinds = {
  'open tab': defineStep<{ isAsOf: boolean }>({
    weight: ifTabs(12),
    draw: (random) => ({ isAsOf: random.isLikely(0.15) }),
    apply: (world, { isAsOf }) => world.getPart(Tabs).open(isAsOf),
  }),
  'hide tab': defineTabStep(6, Object, ({ tab }) => tab.setHidden(true)),
  'show tab': defineTabStep(6, Object, ({ tab }) => tab.setHidden(false)),
  'glance away': defineTabStep(
    6,
    (random) => ({ times: random.integer(1, 3), forMs: random.integer(5, 800) }),
    ({ tab }, { times, forMs }) => tab.glanceAway(times, forMs),
  ),
  'change instant': defineTabStep(2, Object, (page, _, world) =>
    world.getPart(Tabs).changeInstant(page),
  ),
  'leave page': defineTabStep(
    4,
    (random) => ({ ms: drawMs(random) }),
    ({ tab }, { ms }) => tab.leaveFor(ms),
  ),
  'hold timers': defineTabStep(
    2,
    (random) => ({ ms: drawMs(random) }),
    ({ tab }, { ms }, { scheduler }) => {
      tab.timersHeldUntilMs = scheduler.nowMs + ms;
    },
  ),
  'close tab': defineTabStep(
    4,
    (random) => ({ isCrash: random.isLikely(0.5) }),
    ({ tab }, { isCrash }) => tab.close(isCrash),
  ),
  'suspend browser': defineStep<{ ms: number }>({
    weight: ifTabs(2),
    isFault: true,
    draw: (random) => ({ ms: drawMs(random) }),
    apply: (world, { ms }) => world.getPart(Tabs).suspend(ms),
  }),
  'bad network': defineStep<{ ms: number; faults: Partial<NetworkFaults> }>({
    weight: ifTabs(4),
    isFault: true,
    draw: (random) => ({ ms: random.integer(100, 30_000), faults: drawFaults(random) }),
    apply(world, { ms, faults }) {
      const { network } = world.getPart(Tabs);
      Object.assign(network.faults, faults);
      world.scheduler.after(ms, 'network restored', () => network.endFaults());
    },
  }),
};

function drawFaults(random: Random): Partial<NetworkFaults> {
  const kind = random.pickWeighted({ slow: 2, lossy: 2, refused: 1, silent: 1 });
  if (kind === 'refused' || kind === 'silent') return { outage: kind };
  const maxDelayMs = random.integer(0, 3_000);
  return kind === 'slow' ? { maxDelayMs } : { maxDelayMs, lossRate: random.between(0.05, 0.5) };
}
