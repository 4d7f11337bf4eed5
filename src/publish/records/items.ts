import type { Dataset } from '../../catalogue/dataset.ts';
import type { Problem } from '../../derive/record.ts';
import type { Items } from '../../formats/index.ts';
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
  { dataset, mapping, habits, elsewhere }: Circumstances,
  workshop: Workshop,
): AsyncGenerator<Draft[]> {
  // The mapping fits one of the two forms of a fund, and is not to be held against the other.
  const planners = new Map<Targets, ReturnType<typeof planner>>();
  const [whole, long] = [targetsOf(dataset), longFundTargets(dataset)];
  const planFor = (targets: Targets, names: readonly string[]): Plan => {
    const makePlan = planners.get(targets) ?? planner(targets, mapping, habits, elsewhere);
    planners.set(targets, makePlan);
    return makePlan(names);
  };
  const workers = new Map<string, Put>();
  const workerFor = (names: readonly string[]): Put => {
    const signature = names.join('\0');
    const known = workers.get(signature);
    if (known) return known;
    const isLong =
      dataset.shape === 'fund' && !names.includes('rows') && !names.includes('periods');
    const plan = planFor(isLong ? long : whole, names);
    const put = workshop.worker(plan, isLong);
    const lacking = lackingOf(dataset, plan);
    const made: Put = (cells, at, problems) => {
      const strange = plan.unknown.map((field) => ({
        field,
        value: cells[names.indexOf(field)],
        rule: 'absent: the dataset has no such field',
      }));
      return put(cells, at, [...problems, ...lacking, ...strange]);
    };
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
}

function itemDraft(
  value: unknown,
  at: number,
  workerFor: (names: readonly string[]) => Put,
): Draft | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { at, record: {}, problems: [{ field: '', value, rule: 'an object' }] };
  }
  try {
    return workerFor(Object.keys(value))(Object.values(value), at, []);
  } catch (cause) {
    if (!(cause instanceof PlanRefused || cause instanceof NoSuchColumn)) throw cause;
    const rule = `an object that the mapping fits: ${cause.message}`;
    return { at, record: {}, problems: [{ field: '', value, rule }] };
  }
}

function lackingOf({ fields }: Dataset, { missing }: Plan): Problem[] {
  return missing.map((field) => ({
    field,
    value: undefined,
    rule: `${fields[field]?.rule ?? 'given'}; it is absent`,
  }));
}
