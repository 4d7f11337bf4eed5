import type { Dataset } from '../../catalogue/dataset.ts';
import type { Problem } from '../../derive/record.ts';
import type { Items } from '../../formats/index.ts';
import { FileRefused } from '../../formats/index.ts';
import { NoSuchColumn } from '../mapping/made.ts';
import type { Plan } from '../mapping/plan.ts';
import { PlanRefused, planner } from '../mapping/plan.ts';
import type { Targets } from '../mapping/targets.ts';
import { longFundTargets, targetsOf } from '../mapping/targets.ts';
import type { Circumstances } from './circumstances.ts';
import type { Draft } from './draft.ts';
import type { Put, Workshop } from './workshop.ts';

/** Items name their own columns: those with the same names share a plan. */
export async function* itemDrafts(
  { items }: Items,
  circumstances: Circumstances,
  workshop: Workshop,
): AsyncGenerator<Draft[]> {
  const planFor = itemPlanner(circumstances);
  const workers = new Map<string, Put>();
  // Columns that the mapping names and that no item had so far.
  let absent: readonly string[] | undefined;
  const workerFor = (names: readonly string[]): Put => {
    const signature = names.join('\0');
    const known = workers.get(signature);
    if (known) return known;
    const made = itemWorker(names, circumstances.dataset, workshop, () => {
      const planned = planFor(names);
      absent = planned.plan.absent.filter((name) => absent?.includes(name) ?? true);
      return planned;
    });
    workers.set(signature, made);
    return made;
  };
  for await (const batch of items) {
    const drafts: Draft[] = [];
    for (const { at, value } of batch) {
      const draft = itemDraft(value, at, workerFor);
      if (draft) drafts.push(draft);
    }
    yield drafts;
  }
  if (absent && absent.length > 0) {
    throw new FileRefused(`has no record with ${absent.join(', ')}, which the mapping names`);
  }
}

interface ItemPlan {
  readonly plan: Plan;
  readonly isLong: boolean;
}

function itemPlanner({ dataset, mapping, habits, elsewhere }: Circumstances) {
  // The mapping fits one of the two forms of a fund, and is not to be held against the other.
  const planners = new Map<Targets, ReturnType<typeof planner>>();
  const [whole, long] = [targetsOf(dataset), longFundTargets(dataset)];
  return (names: readonly string[]): ItemPlan => {
    const isLong =
      dataset.shape === 'fund' && !names.includes('rows') && !names.includes('periods');
    const targets = isLong ? long : whole;
    const makePlan = planners.get(targets) ?? planner(targets, mapping, habits, elsewhere);
    planners.set(targets, makePlan);
    return { plan: makePlan(names), isLong };
  };
}

/** Makes drafts of items with these names, or says of each why there is none. */
function itemWorker(
  names: readonly string[],
  dataset: Dataset,
  workshop: Workshop,
  planned: () => ItemPlan,
): Put {
  try {
    const { plan, isLong } = planned();
    if (plan.known === 0) return refusing(names, strangerRule(names, dataset));
    const [unmade] = plan.unmade;
    if (unmade !== undefined) throw new NoSuchColumn(unmade);
    const put = workshop.worker(plan, isLong);
    const lacking = lackingOf(dataset, plan);
    const strangers = strangeIn(plan);
    return (cells, at, problems) => {
      const strange = strangers.map(([name, rule]) => ({
        field: name,
        value: cells[names.indexOf(name)],
        rule,
      }));
      return put(cells, at, [...problems, ...lacking, ...strange]);
    };
  } catch (cause) {
    if (!(cause instanceof PlanRefused || cause instanceof NoSuchColumn)) throw cause;
    return refusing(names, `an object that the mapping fits: ${cause.message}`);
  }
}

function itemDraft(
  value: unknown,
  at: number,
  workerFor: (names: readonly string[]) => Put,
): Draft | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { at, record: {}, problems: [{ field: '', value, rule: 'an object' }] };
  }
  return workerFor(Object.keys(value))(Object.values(value), at, []);
}

/** One line for each item as a whole, where all of it is wrong in the same way. */
function refusing(names: readonly string[], rule: string): Put {
  return (cells, at) => {
    const value = Object.fromEntries(names.map((name, place) => [name, cells[place]]));
    return { at, record: {}, problems: [{ field: '', value, rule }] };
  };
}

function strangerRule(names: readonly string[], { name, fields }: Dataset): string {
  const rule = `an object with fields of ${name}: ${Object.keys(fields).join(', ')}`;
  return names.includes('data')
    ? `${rule}; of a reply, give the list in "data", or all of it with its "status"`
    : rule;
}

function strangeIn({ unknown, doubled }: Plan): (readonly [name: string, rule: string])[] {
  return [
    ...unknown.map((name) => [name, 'absent: the dataset has no such field'] as const),
    ...doubled.map(
      ({ column, field }) =>
        [column, `absent: --set or the mapping gives ${field} as well`] as const,
    ),
  ];
}

function lackingOf({ fields }: Dataset, { missing }: Plan): Problem[] {
  return missing.map((field) => ({
    field,
    value: undefined,
    rule: fields[field]?.rule ?? 'given',
  }));
}
