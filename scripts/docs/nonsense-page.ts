import { DECLARED } from '../../test/publish/nonsense/declared-data.ts';
import type { NonsenseKind } from '../../test/publish/nonsense/kind.ts';
import { NONSENSE_KINDS } from '../../test/publish/nonsense/kinds.ts';
import { code, page, table } from './markdown-table.ts';

/** The page with the kinds of nonsense that are tried on honest files, and what becomes of each. */
export function nonsensePage(): string {
  const found = NONSENSE_KINDS.filter(({ undetected }) => !undetected);
  const undetected = NONSENSE_KINDS.filter((kind) => kind.undetected);
  return page(
    'Nonsense',
    `${found.length} kinds of nonsense, and what becomes of a file with each: a rule of [warnings](warnings.md) warns, or the file is rejected. With \`--strict\` all are rejected. A test alters honest files of the sample, and of six datasets that are declared for it (${DECLARED.map(({ name }) => code(name)).join(', ')}), in each of these ways, after the days and periods before them are published, and fails if one is published without a word; the honest files have no warning.`,
    table(['kind', 'in', 'what happens'], found.map(toRow)),
    '## Not known',
    'Kinds that no rule can tell from honest data. Nothing warns of them.',
    table(['kind', 'in', 'why'], undetected.map(toRow)),
  );
}

function toRow({ name, datasets, warns, undetected, refused }: NonsenseKind): string[] {
  const names = datasets.map((dataset) => code(dataset.name));
  const isShipped = datasets.every(({ declared }) => !declared);
  const label = isShipped && names.length > 3 ? `${names.length} series` : names.join(', ');
  const message = refused ? `rejected: “… ${refused} …”` : 'rejected';
  return [name, label, undetected ?? (warns ? `${code(warns)} warns` : message)];
}
