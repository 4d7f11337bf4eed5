import {
  type CellTable,
  type FileContents,
  InvalidFileError,
} from '../../formats/read-contents.ts';
import type { DraftContext, DraftRecord } from './draft-record.ts';
import { readDataRows } from './read-data-rows.ts';
import { readItemDrafts } from './read-item-drafts.ts';
import { RecordAssembler } from './record-assembler.ts';

/** The draft records of a file in batches. */
export async function* readDraftRecords(
  contents: FileContents,
  context: DraftContext,
): AsyncGenerator<readonly DraftRecord[]> {
  const assembler = new RecordAssembler(context);
  if (contents.kind === 'items' && context.mapping.headerRow !== undefined)
    throw new InvalidFileError(
      'has no row that could name the columns, so --header-row has no effect',
    );
  if (contents.kind === 'table') yield* readTableDrafts(contents, context, assembler);
  else yield* readItemDrafts(contents, context, assembler);
  yield await assembler.finish();
}

async function* readTableDrafts(
  table: CellTable,
  context: DraftContext,
  assembler: RecordAssembler,
): AsyncGenerator<DraftRecord[]> {
  const isFund = context.dataset.shape === 'fund';
  const { plan, rows } = await readDataRows(table, assembler.createPlanner(isFund), context);
  const handleRow = assembler.createRowHandler(plan, isFund);
  for await (const batch of rows) {
    const drafts: DraftRecord[] = [];
    for (const { cells, position, problems } of batch) {
      // In a row of the wrong width, cells are in the wrong columns.
      const draft =
        problems.length > 0 ? { position, record: {}, problems } : handleRow(cells, position, []);
      if (draft) drafts.push(draft);
    }
    yield drafts;
  }
}
