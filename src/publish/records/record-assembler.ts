import type { FieldProblem } from '../../schema/validate-record.ts';
import type { ColumnPlan } from '../mapping/column-plan.ts';
import type { RowCells } from '../mapping/field-expression.ts';
import { createDrafter, type DraftRecord, type ReadContext } from './draft-record.ts';
import { FundCollector } from './fund-collector.ts';
import { LongListCollector, type LongListSource } from './long-list-collector.ts';

/** Turns a row into a draft record, or buffers it until all rows of its record are read. */
export type RowHandler = (
  cells: RowCells,
  position: number,
  problems: readonly FieldProblem[],
) => DraftRecord | undefined;

export type RecordAssembler = ReturnType<typeof createRecordAssembler>;

export function createRecordAssembler(context: ReadContext) {
  const { mapping } = context;
  const collectors: (FundCollector | LongListCollector)[] = [];
  const createCollector = (plan: ColumnPlan, isLongFund: boolean) => {
    if (isLongFund) return new FundCollector(plan, context);
    const longList = plan.lists.find(
      (list): list is LongListSource => list.keyAndValueRows !== undefined,
    );
    return longList && new LongListCollector(plan, longList, mapping);
  };
  return {
    createRowHandler(plan: ColumnPlan, isLongFund: boolean): RowHandler {
      const collector = createCollector(plan, isLongFund);
      if (collector) {
        collectors.push(collector);
        return (...row) => void collector.add(...row);
      }
      const draft = createDrafter(plan, mapping.blank);
      return (cells, position, problems) => {
        const record = draft(cells, position);
        return problems.length === 0
          ? record
          : { ...record, problems: [...problems, ...record.problems] };
      };
    },
    /** The draft records that have several rows. */
    async finish(): Promise<DraftRecord[]> {
      const drafts = collectors.map((collector) => collector.toDrafts());
      return (await Promise.all(drafts)).flat();
    },
  };
}
