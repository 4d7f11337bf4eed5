import type { FileContents } from '../../formats/read-contents.ts';
import { getKeyFields } from '../../schema/key-fields.ts';
import { createColumnPlanner } from '../mapping/column-plan.ts';
import { getFieldTargets, getFundRowTargets } from '../mapping/field-targets.ts';
import type { DraftRecord } from './draft-record.ts';
import type { ReadContext } from './read-context.ts';
import { readItemDrafts } from './read-items.ts';
import { readTable } from './read-table.ts';
import { createRecordAssembler } from './record-assembler.ts';

/** The records of a file in batches, each with where it stands and what is wrong with it. */
export async function* readDraftRecords(
  contents: FileContents,
  readContext: ReadContext,
): AsyncGenerator<readonly DraftRecord[]> {
  const { dataset, mapping, valueFormat, externalColumns, findCurrentFund, onSkipped } =
    readContext;
  const { headerRow } = mapping;
  const keys = getKeyFields(dataset);
  const workshop = createRecordAssembler(readContext);
  if (contents.kind === 'table') {
    const targets =
      dataset.shape === 'fund' ? getFundRowTargets(dataset) : getFieldTargets(dataset);
    const makePlan = createColumnPlanner(targets, mapping, valueFormat, externalColumns);
    const { plan, rows } = await readTable(contents, makePlan, { headerRow, keys, onSkipped });
    const put = workshop.createRowHandler(plan, dataset.shape === 'fund');
    for await (const batch of rows) {
      const drafts: DraftRecord[] = [];
      for (const { cells, at, problems } of batch) {
        // Of a row that is wrong as a whole, the cells are not where they should be.
        const draft =
          problems.length > 0 ? { position: at, record: {}, problems } : put(cells, at, []);
        if (draft) drafts.push(draft);
      }
      yield drafts;
    }
  } else {
    yield* readItemDrafts(contents, readContext, workshop);
  }
  yield await workshop.finish(findCurrentFund);
}
