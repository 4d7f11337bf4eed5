import { amountIn } from '../../catalogue/model/field-builders.ts';
import { InvalidFileError } from '../../formats/read-contents.ts';
import type { ValueFormat } from '../cells/create-converter.ts';
import { createConverter } from '../cells/create-converter.ts';
import {
  createColumnIndex,
  createTargetResolver,
  findNonNumericTarget,
  findUnknownTarget,
  normalizeName,
} from './column-names.ts';
import type { ReadCell, ResolveColumn } from './field-expression.ts';
import { compileExpression, getReferencedColumns, MissingColumnError } from './field-expression.ts';
import type { ExplainBlank, FieldSources } from './field-sources.ts';
import { createSourceFinder } from './field-sources.ts';
import type { FieldTargets } from './field-targets.ts';
import type { FieldExpression, Mapping } from './mapping.ts';

/** How a row becomes a record: what each field is read from. */
export interface ColumnPlan extends FieldSources {
  /** Columns that nothing is read from. */
  readonly unmappedColumns: readonly string[];
  /** Columns that hold a field which the mapping makes as well. */
  readonly conflictingColumns: readonly { readonly column: string; readonly field: string }[];
  /** Columns that the mapping names and that are not there. */
  readonly missingMappedColumns: readonly string[];
  /** Columns that the mapping makes fields from and that are not there. */
  readonly missingReferencedColumns: readonly string[];
  /** Places of columns without a name, where nothing may stand. */
  readonly unnamedColumns: readonly number[];
  /** How many columns are known by name. */
  readonly knownColumnCount: number;
}

/** Columns that cannot be read in one way only: two of them for one field. */
export class AmbiguousColumnsError extends InvalidFileError {}

/** Columns of other files, and facts about the file itself, by their names in a mapping. */
export interface ExternalColumns {
  /** The source of a name; undefined where there is none of it. */
  column(name: string, column: ResolveColumn): ReadCell | undefined;
  /** What to say where a made field is blank; undefined where nothing comes from another file. */
  explainBlank(expression: FieldExpression, column: ResolveColumn): ExplainBlank | undefined;
}

/**
 * Makes plans for one dataset and one mapping: from the names of a file's columns to what is read
 * from them.
 */
export function createColumnPlanner(
  targets: FieldTargets,
  mapping: Mapping,
  valueFormat: ValueFormat,
  externalColumns: ExternalColumns,
): (columns: readonly string[]) => ColumnPlan {
  assertKnownTargets(targets, mapping);
  const sort = createColumnClassifier(targets, mapping);
  const make = createExpressionCompiler(mapping, valueFormat, externalColumns);
  const find = createSourceFinder(targets, mapping, valueFormat);
  const wanted = Object.entries(mapping.columns ?? {}).flatMap(([name, target]) =>
    target === null ? [] : [name],
  );
  return (columns) => {
    const places = createColumnIndex(columns);
    const { gets: held, ...sorted } = sort(columns);
    const { gets: made, whys, unmade } = make(places);
    return {
      ...find({ gets: new Map([...held, ...made]), whys }),
      ...sorted,
      ...(mapping.otherColumns === 'ignore' && {
        unmappedColumns: [],
        conflictingColumns: [],
        unnamedColumns: [],
      }),
      missingReferencedColumns: unmade,
      missingMappedColumns: wanted.filter((name) => places(name) === undefined),
    };
  };
}

function assertKnownTargets(targets: FieldTargets, mapping: Mapping): void {
  const strange = findUnknownTarget(targets, mapping);
  if (strange !== undefined) {
    const names = [...targets.fields.keys()].join(', ');
    throw new InvalidFileError(
      `the mapping names "${strange}", which is no field; there are ${names}`,
    );
  }
  const figureless = findNonNumericTarget(targets, mapping);
  if (figureless !== undefined) {
    const advice = 'of a list, name the parts: LIST.KEY or LIST:value';
    throw new InvalidFileError(`the mapping scales "${figureless}", which is no number; ${advice}`);
  }
}

/** What the columns of a file hold by themselves, or by what the mapping says of them. */
interface ClassifiedColumns
  extends Pick<
    ColumnPlan,
    'unmappedColumns' | 'conflictingColumns' | 'unnamedColumns' | 'knownColumnCount'
  > {
  readonly gets: ReadonlyMap<string, ReadCell>;
}

function createColumnClassifier(
  targets: FieldTargets,
  mapping: Mapping,
): (columns: readonly string[]) => ClassifiedColumns {
  const spelled = createTargetResolver(targets);
  const mapped = new Map(
    Object.entries(mapping.columns ?? {}).map(([name, target]) => [normalizeName(name), target]),
  );
  const used = getUsedColumns(mapping);
  const targetOf = (name: string) => {
    const explicit = mapped.get(normalizeName(name));
    return explicit === undefined ? spelled(name) : explicit;
  };
  return (columns) => {
    const gets = new Map<string, ReadCell>();
    const names = new Map<string, string>();
    const unmappedColumns: string[] = [];
    const conflictingColumns: { column: string; field: string }[] = [];
    const unnamedColumns: number[] = [];
    let knownColumnCount = 0;
    for (const [index, name] of columns.entries()) {
      const target = targetOf(name);
      const isUsed = used.has(normalizeName(name));
      if (target !== undefined || isUsed) knownColumnCount++;
      if (target === null) continue;
      if (target === undefined) {
        if (name === '') unnamedColumns.push(index);
        else if (!isUsed) unmappedColumns.push(name);
      } else if (Object.hasOwn(mapping.fields ?? {}, target)) {
        if (!isUsed) conflictingColumns.push({ column: name, field: target });
      } else {
        const other = names.get(target);
        if (other !== undefined) {
          throw new AmbiguousColumnsError(`two columns hold ${target}: "${other}" and "${name}"`);
        }
        names.set(target, name);
        gets.set(target, (cells) => cells[index]);
      }
    }
    return { gets, unmappedColumns, conflictingColumns, unnamedColumns, knownColumnCount };
  };
}

/** The columns that a mapping makes something from, by their loose names. */
function getUsedColumns({ fields = {}, lookup }: Mapping): ReadonlySet<string> {
  const names = Object.values(fields).flatMap(getReferencedColumns);
  return new Set([...names, ...getReferencedColumns(lookup?.by ?? '')].map(normalizeName));
}

/** The fields that the mapping makes, from where the columns of a file are. */
function createExpressionCompiler(
  mapping: Mapping,
  valueFormat: ValueFormat,
  externalColumns: ExternalColumns,
) {
  const toNumber = createConverter(amountIn('any unit')('A figure'), valueFormat);
  return (places: ReturnType<typeof createColumnIndex>) => {
    const column: ResolveColumn = (name) => {
      const place = places(name);
      if (place === undefined) return externalColumns.column(name, column);
      if (place === 'twice') throw new AmbiguousColumnsError(`two columns are called "${name}"`);
      return (cells) => cells[place];
    };
    const gets = new Map<string, ReadCell>();
    const whys = new Map<string, ExplainBlank>();
    const unmade = new Set<string>();
    for (const [target, from] of Object.entries(mapping.fields ?? {})) {
      try {
        gets.set(target, compileExpression(from, column, toNumber));
        const why = externalColumns.explainBlank(from, column);
        if (why) whys.set(target, why);
      } catch (cause) {
        // A row that is no header lacks most of them: what is told is told of the best row.
        if (!(cause instanceof MissingColumnError)) throw cause;
        unmade.add(cause.column);
      }
    }
    return { gets, whys, unmade: [...unmade] };
  };
}
