import type { AnyRecord } from '../../catalogue/dataset.ts';
import { catalogue } from '../../catalogue/index.ts';
import { formOf } from './dataset-sheet.ts';
import { flattened, plainSheet } from './plain-sheet.ts';
import type { Sheet } from './sheet.ts';

/** A revision, and below it the records that it changed: before, after or both. */
export function revisionSheet({ changes, ...entry }: AnyRecord): Sheet {
  const about = flattened(entry);
  const dataset = catalogue.find(({ name }) => name === entry.dataset);
  const sides = (changes as readonly Change[]).flatMap(({ change, old, new: now }) => {
    const isBoth = old !== null && now !== null;
    return [
      ...(old ? [{ change: isBoth ? `${change} from` : change, record: old }] : []),
      ...(now ? [{ change: isBoth ? `${change} to` : change, record: now }] : []),
    ];
  });
  if (!dataset) return { ...plainSheet(sides), about };
  const { columns, rowsOf } = formOf(
    dataset,
    sides.map(({ record }) => record),
  );
  return {
    about,
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
