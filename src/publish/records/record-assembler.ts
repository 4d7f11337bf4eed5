import type { FieldProblem } from '../../schema/validate-record.ts';
import type { ColumnPlan } from '../mapping/column-plan.ts';
import type { RowCells } from '../mapping/field-expression.ts';
import type { BlankPolicy, DraftRecord } from './draft-record.ts';
import { createDrafter } from './draft-record.ts';
import type { FindCurrentFund } from './fund-collector.ts';
import { createFundCollector } from './fund-collector.ts';
import type { LongListSource } from './long-list-collector.ts';
import { createLongListCollector } from './long-list-collector.ts';
import type { ReadContext } from './read-context.ts';

/** Makes a draft of a row, or keeps the row until there are all of its record. */
export type RowHandler = (
  cells: RowCells,
  at: number,
  problems: readonly FieldProblem[],
) => DraftRecord | undefined;

/** Where rows become drafts. */
export interface RecordAssembler {
  createRowHandler(plan: ColumnPlan, isLongFund: boolean): RowHandler;
  /** Drafts of the records that came in several rows. */
  finish(standing: FindCurrentFund): Promise<DraftRecord[]>;
}

/** A workshop for one file. */
export function createRecordAssembler({
  mapping,
  valueFormat,
  now,
  replace,
}: ReadContext): RecordAssembler {
  const blank: BlankPolicy = mapping.blank;
  const waiting: ((standing: FindCurrentFund) => DraftRecord[] | Promise<DraftRecord[]>)[] = [];
  return {
    createRowHandler(plan, isLongFund) {
      if (isLongFund) {
        const funds = createFundCollector(plan, valueFormat, { blank, now, replace });
        waiting.push((standing) => funds.drafts(standing));
        return (...row) => void funds.add(...row);
      }
      const spread = plan.lists.find(
        (list): list is LongListSource => list.keyAndValueRows !== undefined,
      );
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
    finish: async (standing) => (await Promise.all(waiting.map((done) => done(standing)))).flat(),
  };
}
