import type { AnyRecord } from '../../catalogue/dataset.ts';
import { catalogue } from '../../catalogue/index.ts';
import type { LoadReport } from '../../publish/report.ts';
import { reportLines } from '../../publish/report.ts';
import { formOf } from './dataset-sheet.ts';
import { flattened, plainSheet } from './plain-sheet.ts';
import type { Sheet } from './sheet.ts';

/** A revision, what was noticed about its load, and the records it changed: before, after or both. */
export function revisionSheet({ changes, report, ...entry }: AnyRecord): Sheet {
  const about = flattened(entry);
  const notes = reportLines(report as Partial<LoadReport>);
  const dataset = catalogue.find(({ name }) => name === entry.dataset);
  const sides = (changes as readonly Change[]).flatMap(({ change, old, new: now }) => {
    const isBoth = old !== null && now !== null;
    return [
      ...(old ? [{ change: isBoth ? `${change} from` : change, record: old }] : []),
      ...(now ? [{ change: isBoth ? `${change} to` : change, record: now }] : []),
    ];
  });
  if (!dataset) return { ...plainSheet(sides), about, notes };
  const { columns, rowsOf } = formOf(
    dataset,
    sides.map(({ record }) => record),
  );
  return {
    about,
    notes,
    columns: [{ name: 'change', isKey: true }, ...columns],
    rows: sides.flatMap(({ change, record }) => rowsOf(record).map((cells) => [change, ...cells])),
    row: 'row',
  };
}

interface Change {
  readonly change: string;
  readonly old: AnyRecord | null;
  readonly new: AnyRecord | null;
}
