import type { Dataset } from '../../catalogue/dataset.ts';
import type { Problem } from '../../derive/record.ts';
import type { Contents, Items } from '../../formats/index.ts';
import type { Habits } from '../cells/index.ts';
import type { Cells } from '../mapping/made.ts';
import { NoSuchColumn } from '../mapping/made.ts';
import type { Mapping } from '../mapping/mapping.ts';
import type { Elsewhere, Plan } from '../mapping/plan.ts';
import { PlanRefused, planner } from '../mapping/plan.ts';
import type { Targets } from '../mapping/targets.ts';
import { longFundTargets, targetsOf } from '../mapping/targets.ts';
import type { Blank, Draft } from './draft.ts';
import { drafter } from './draft.ts';
import type { StandingFund } from './funds.ts';
import { fundGatherer } from './funds.ts';
import type { LongList } from './long.ts';
import { gatherer } from './long.ts';
import { readTable } from './table.ts';

/** What reading the records of a file depends on, beside the file. */
export interface Circumstances {
  readonly dataset: Dataset;
  readonly mapping: Mapping;
  readonly habits: Habits;
  readonly elsewhere: Elsewhere;
  readonly standingFund: StandingFund;
  /** The present, for records that have none of their own. */
  readonly now: string;
  readonly onSkipped: (what: string) => void;
}

/** The records of a file in batches, each with where it stands and what is wrong with it. */
export async function* draftsOf(
  contents: Contents,
  circumstances: Circumstances,
): AsyncGenerator<readonly Draft[]> {
  const { dataset, mapping, habits, elsewhere, standingFund, onSkipped } = circumstances;
  const { headerRow } = mapping;
  const workshop = workshopOf(circumstances);
  if (contents.kind === 'table') {
    const targets = dataset.shape === 'fund' ? longFundTargets(dataset) : targetsOf(dataset);
    const makePlan = planner(targets, mapping, habits, elsewhere);
    const { plan, rows } = await readTable(contents, makePlan, { headerRow, onSkipped });
    const put = workshop.worker(plan, dataset.shape === 'fund');
    for await (const batch of rows) {
      const drafts: Draft[] = [];
      for (const { cells, at, problems } of batch) {
        // Of a row that is wrong as a whole, the cells are not where they should be.
        const draft = problems.length > 0 ? { at, record: {}, problems } : put(cells, at, []);
        if (draft) drafts.push(draft);
      }
      yield drafts;
    }
  } else {
    for await (const { drafts } of itemDrafts(contents, circumstances, workshop)) yield drafts;
  }
  yield await workshop.rest(standingFund);
}

/** Makes a draft of a row, or keeps the row until there are all of its record. */
type Put = (cells: Cells, at: number, problems: readonly Problem[]) => Draft | undefined;

interface Workshop {
  worker(plan: Plan, isLongFund: boolean): Put;
  /** Drafts of the records that came in several rows. */
  rest(standing: StandingFund): Promise<Draft[]>;
}

function workshopOf({ mapping, habits, now }: Circumstances): Workshop {
  const blank: Blank = mapping.blank;
  const waiting: ((standing: StandingFund) => Draft[] | Promise<Draft[]>)[] = [];
  return {
    worker(plan, isLongFund) {
      if (isLongFund) {
        const funds = fundGatherer(plan, blank, habits, now);
        waiting.push((standing) => funds.drafts(standing));
        return (...row) => void funds.add(...row);
      }
      const spread = plan.lists.find((list): list is LongList => list.long !== undefined);
      if (spread) {
        const gathered = gatherer(plan, spread, blank, mapping.repeatedKeys);
        waiting.push(() => gathered.drafts());
        return (...row) => void gathered.add(...row);
      }
      const draft = drafter(plan, blank);
      return (cells, at, problems) => {
        const made = draft(cells, at);
        return problems.length === 0
          ? made
          : { ...made, problems: [...problems, ...made.problems] };
      };
    },
    rest: async (standing) => (await Promise.all(waiting.map((done) => done(standing)))).flat(),
  };
}

/** Items name their own columns: those with the same names share a plan. */
async function* itemDrafts(
  { items }: Items,
  { dataset, mapping, habits, elsewhere }: Circumstances,
  workshop: Workshop,
): AsyncGenerator<{ drafts: Draft[] }> {
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
    yield { drafts };
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
