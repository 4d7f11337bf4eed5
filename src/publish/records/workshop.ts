import type { Problem } from '../../derive/record.ts';
import type { Cells } from '../mapping/made.ts';
import type { Plan } from '../mapping/plan.ts';
import type { Circumstances } from './circumstances.ts';
import type { Blank, Draft } from './draft.ts';
import { drafter } from './draft.ts';
import type { StandingFund } from './funds.ts';
import { fundGatherer } from './funds.ts';
import type { LongList } from './long.ts';
import { gatherer } from './long.ts';

/** Makes a draft of a row, or keeps the row until there are all of its record. */
export type Put = (cells: Cells, at: number, problems: readonly Problem[]) => Draft | undefined;

/** Where rows become drafts. */
export interface Workshop {
  worker(plan: Plan, isLongFund: boolean): Put;
  /** Drafts of the records that came in several rows. */
  rest(standing: StandingFund): Promise<Draft[]>;
}

/** A workshop for one file. */
export function workshopOf({ mapping, habits, now, replace }: Circumstances): Workshop {
  const blank: Blank = mapping.blank;
  const waiting: ((standing: StandingFund) => Draft[] | Promise<Draft[]>)[] = [];
  return {
    worker(plan, isLongFund) {
      if (isLongFund) {
        const funds = fundGatherer(plan, habits, { blank, now, replace });
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
