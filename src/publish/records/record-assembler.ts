import type { FieldProblem } from '../../schema/validate-record.ts';
import { type ColumnPlan, createColumnPlanner } from '../mapping/column-plan.ts';
import type { RowCells } from '../mapping/field-expression.ts';
import type { KeyedListSource } from '../mapping/field-sources.ts';
import { getFieldTargets, getFundRowTargets } from '../mapping/field-targets.ts';
import { createDrafter, type DraftRecord, type ReadContext } from './draft-record.ts';
import type { CreatePlan } from './find-header.ts';
import { FundCollector } from './fund-collector.ts';
import { LongListCollector, type LongListSource } from './long-list-collector.ts';

/** Turns a row into a draft record, or buffers it until all rows of its record are read. */
export type RowHandler = (
  cells: RowCells,
  position: number,
  problems: readonly FieldProblem[],
) => DraftRecord | undefined;

export class RecordAssembler {
  readonly #collectors: (FundCollector | LongListCollector)[] = [];

  constructor(private readonly context: ReadContext) {}

  /** Plans how records are read, or rows with one class of a fund each. */
  createPlanner(isLongFund: boolean): CreatePlan {
    const { dataset, mapping, valueFormat, externalColumns } = this.context;
    const targets = isLongFund ? getFundRowTargets(dataset) : getFieldTargets(dataset);
    return createColumnPlanner(targets, mapping, valueFormat, externalColumns);
  }

  createRowHandler(plan: ColumnPlan, isLongFund: boolean): RowHandler {
    const collector = this.#createCollector(plan, isLongFund);
    if (collector) {
      this.#collectors.push(collector);
      return (...row) => void collector.add(...row);
    }
    const draft = createDrafter(plan, this.context.mapping.blank);
    return (cells, position, problems) => {
      const record = draft(cells, position);
      return problems.length === 0
        ? record
        : { ...record, problems: [...problems, ...record.problems] };
    };
  }

  /** The draft records that have several rows. */
  async finish(): Promise<DraftRecord[]> {
    return (await Promise.all(this.#collectors.map((collector) => collector.toDrafts()))).flat();
  }

  #createCollector(plan: ColumnPlan, isLongFund: boolean) {
    if (isLongFund) return new FundCollector(plan, this.context);
    const isLong = (list: KeyedListSource): list is LongListSource => !!list.keyAndValueRows;
    const longList = plan.lists.find(isLong);
    return longList && new LongListCollector(plan, longList, this.context.mapping);
  }
}
