import {
  type CellTable,
  type FileContents,
  InvalidFileError,
} from '../../formats/read-contents.ts';
import type { ColumnPlan } from '../mapping/column-plan.ts';
import type { RowCells } from '../mapping/field-expression.ts';
import type { DraftContext, DraftRecord } from './draft-record.ts';
import { readDataRows } from './read-data-rows.ts';
import { readItemDrafts } from './read-item-drafts.ts';
import { RecordAssembler } from './record-assembler.ts';

export async function* readDraftRecords(
  contents: FileContents,
  context: DraftContext,
): AsyncGenerator<readonly DraftRecord[]> {
  const assembler = new RecordAssembler(context);
  if (contents.kind === 'items' && context.mapping.headerRow !== undefined)
    throw new InvalidFileError(
      'has no row that could name the columns, so --header-row has no effect',
    );
  if (contents.kind === 'items' && context.mapping.unpivot)
    throw new InvalidFileError('is no table with columns, so "unpivot" has no effect');
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
  const blanks = new Set(context.mapping.blanks?.map((text) => text.trim().toLowerCase()));
  for await (const batch of rows) {
    const drafts: DraftRecord[] = [];
    for (const { cells, position, problems } of batch) {
      // In a row of the wrong width, cells are in the wrong columns.
      if (problems.length > 0) drafts.push({ position, record: {}, problems });
      else
        for (const rowCells of unpivotRow(cells, plan, blanks)) {
          const draft = handleRow(rowCells, position, []);
          if (draft) drafts.push(draft);
        }
    }
    yield drafts;
  }
}

/** The rows that a row stands for: itself, or one for each of its cells that is not blank. */
function* unpivotRow(
  cells: RowCells,
  { unpivoted, width }: ColumnPlan,
  blanks: ReadonlySet<string>,
): Generator<RowCells, void, undefined> {
  if (!unpivoted) {
    yield cells;
    return;
  }
  const rest = Array.from({ length: width }, (_, index) => cells[index]);
  for (const { index, value } of unpivoted) {
    const cell = cells[index];
    const text = String(cell ?? '').trim();
    if (text !== '' && !blanks.has(text.toLowerCase())) yield [...rest, value, cell];
  }
}
