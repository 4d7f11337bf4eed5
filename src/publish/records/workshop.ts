import type { FieldProblem } from '../../derive/record.ts';
import type { RowCells } from '../mapping/made.ts';
import type { ColumnPlan } from '../mapping/plan.ts';
import type { ReadContext } from './circumstances.ts';
import type { BlankPolicy, DraftRecord } from './draft.ts';
import { createDrafter } from './draft.ts';
import type { FindCurrentFund } from './funds.ts';
import { createFundCollector } from './funds.ts';
import type { LongListSource } from './long.ts';
import { createLongListCollector } from './long.ts';

/** Makes a draft of a row, or keeps the row until there are all of its record. */
export type RowHandler = (
  cells: RowCells,
  at: number,
  problems: readonly FieldProblem[],
) => DraftRecord | undefined;

/** Where rows become drafts. */
export interface RecordAssembler {
  worker(plan: ColumnPlan, isLongFund: boolean): RowHandler;
  /** Drafts of the records that came in several rows. */
  rest(standing: FindCurrentFund): Promise<DraftRecord[]>;
}

/** A workshop for one file. */
export function createRecordAssembler({
  mapping,
  habits,
  now,
  replace,
}: ReadContext): RecordAssembler {
  const blank: BlankPolicy = mapping.blank;
  const waiting: ((standing: FindCurrentFund) => DraftRecord[] | Promise<DraftRecord[]>)[] = [];
  return {
    worker(plan, isLongFund) {
      if (isLongFund) {
        const funds = createFundCollector(plan, habits, { blank, now, replace });
        waiting.push((standing) => funds.drafts(standing));
        return (...row) => void funds.add(...row);
      }
      const spread = plan.lists.find((list): list is LongListSource => list.long !== undefined);
      if (spread) {
        const gathered = createLongListCollector(plan, spread, blank, mapping.repeatedKeys);
        waiting.push(() => gathered.drafts());
        return (...row) => void gathered.add(...row);
      }
      const draft = createDrafter(plan, blank);
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
