import { AmbiguousColumnsError, createTargetResolver, normalizeName } from './column-names.ts';
import { getReferencedColumns, type ReadCell } from './field-expression.ts';
import type { FieldTargets } from './field-targets.ts';
import type { Mapping } from './mapping.ts';

export interface ClassifiedColumns {
  /** Reads the columns that hold a target field. */
  readonly readers: ReadonlyMap<string, ReadCell>;
  readonly unmappedColumns: readonly string[];
  /** Columns that hold a field which a field expression computes as well. */
  readonly conflictingColumns: readonly { readonly column: string; readonly field: string }[];
  /** Indexes of columns without a name, which must be blank. */
  readonly unnamedColumns: readonly number[];
  /** How many columns hold a target field or are used by a field expression. */
  readonly knownColumnCount: number;
}

/** Finds the target of each column, by the mapping or by the column's own name. */
export function createColumnClassifier(
  targets: FieldTargets,
  mapping: Mapping,
): (columns: readonly string[]) => ClassifiedColumns {
  const resolveTarget = createTargetResolver(targets);
  const mappedTargets = new Map(
    Object.entries(mapping.columns ?? {}).map(([name, target]) => [normalizeName(name), target]),
  );
  const usedColumns = getUsedColumns(mapping);
  return (columns) => {
    const readers = new Map<string, ReadCell>();
    const columnByTarget = new Map<string, string>();
    const unmappedColumns: string[] = [];
    const conflictingColumns: { column: string; field: string }[] = [];
    const unnamedColumns: number[] = [];
    let knownColumnCount = 0;
    for (const [index, name] of columns.entries()) {
      const mapped = mappedTargets.get(normalizeName(name));
      const target = mapped === undefined ? resolveTarget(name) : mapped;
      const isUsed = usedColumns.has(normalizeName(name));
      if (target !== undefined || isUsed) knownColumnCount++;
      if (target === null) continue;
      if (target === undefined) {
        if (name === '') unnamedColumns.push(index);
        else if (!isUsed) unmappedColumns.push(name);
      } else if (Object.hasOwn(mapping.fields ?? {}, target)) {
        if (!isUsed) conflictingColumns.push({ column: name, field: target });
      } else {
        const first = columnByTarget.get(target);
        if (first !== undefined)
          throw new AmbiguousColumnsError(`two columns hold ${target}: "${first}" and "${name}"`);
        columnByTarget.set(target, name);
        readers.set(target, (cells) => cells[index]);
      }
    }
    return { readers, unmappedColumns, conflictingColumns, unnamedColumns, knownColumnCount };
  };
}

function getUsedColumns({ fields = {}, lookup }: Mapping): ReadonlySet<string> {
  const names = Object.values(fields).flatMap(getReferencedColumns);
  return new Set([...names, ...getReferencedColumns(lookup?.by ?? '')].map(normalizeName));
}
