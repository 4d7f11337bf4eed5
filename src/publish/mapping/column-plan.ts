import { amountIn } from '../../catalogue/model/field-builders.ts';
import { InvalidFileError } from '../../formats/read-contents.ts';
import { createConverter, type ValueFormat } from '../cells/create-converter.ts';
import {
  AmbiguousColumnsError,
  createColumnIndex,
  createTargetResolver,
  type FindColumn,
  MissingColumnError,
  normalizeName,
} from './column-names.ts';
import type { ExternalColumns } from './external-columns.ts';
import {
  compileExpression,
  getReferencedColumns,
  type ReadCell,
  type ResolveColumn,
} from './field-expression.ts';
import { type ExplainBlank, type FieldSources, findFieldSources } from './field-sources.ts';
import type { FieldTargets } from './field-targets.ts';
import type { Mapping } from './mapping.ts';

/** How a row becomes a record: the source of each field. */
export interface ColumnPlan extends FieldSources {
  readonly unmappedColumns: readonly string[];
  /** Columns with a field that a field expression also computes. */
  readonly conflictingColumns: readonly { readonly column: string; readonly field: string }[];
  /** Indexes of columns without a name, which must be blank. */
  readonly unnamedColumns: readonly number[];
  /** The number of columns that hold a target field or are used by a field expression. */
  readonly knownColumnCount: number;
  readonly missingMappedColumns: readonly string[];
  /** Columns of field expressions that the file lacks. */
  readonly missingReferencedColumns: readonly string[];
  /** The number of columns. */
  readonly width: number;
  /** Whether cells may have marks that give the status of their record. */
  readonly hasMarks: boolean;
  /** The columns that become records, with the value that each stands for. */
  readonly unpivoted: readonly UnpivotedColumn[] | undefined;
  /** Mapping keys that have no effect on these columns, formatted for people. */
  readonly ineffectiveKeys: readonly string[];
}

export interface UnpivotedColumn {
  readonly index: number;
  readonly value: string;
}

/** Plans how files with given columns are read, for one dataset and one mapping. */
export function createColumnPlanner(
  targets: FieldTargets,
  mapping: Mapping,
  valueFormat: ValueFormat,
  externalColumns: ExternalColumns,
): (columns: readonly string[]) => ColumnPlan {
  assertKnownTargets(targets, mapping);
  const classifyColumns = createColumnClassifier(targets, mapping);
  const compileFields = createFieldCompiler(mapping, valueFormat, externalColumns);
  const { columns: targetByColumn = {} } = mapping;
  const mappedColumns = Object.keys(targetByColumn).filter((name) => targetByColumn[name] !== null);
  return (columns) => {
    const findColumn = createColumnIndex(columns);
    const { readers: columnReaders, ...classified } = classifyColumns(columns);
    const { readers, explainers, missingReferencedColumns } = compileFields(findColumn);
    const available = { readers: new Map([...columnReaders, ...readers]), explainers };
    const sources = findFieldSources(targets, available, mapping, valueFormat);
    return {
      ...sources,
      ineffectiveKeys: findIneffectiveKeys(mapping, available.readers, sources),
      ...classified,
      width: columns.length,
      ...(mapping.otherColumns === 'ignore' && IGNORED_COLUMNS),
      hasMarks: valueFormat.hasMarks ?? false,
      missingReferencedColumns,
      missingMappedColumns: mappedColumns.filter((name) => findColumn(name) === undefined),
    };
  };
}

const IGNORED_COLUMNS = { unmappedColumns: [], conflictingColumns: [], unnamedColumns: [] };

/** Finds the target of each column, by the mapping or by the column's own name. */
function createColumnClassifier(targets: FieldTargets, mapping: Mapping) {
  const resolveTarget = createTargetResolver(targets);
  const mappedTargets = new Map(
    Object.entries(mapping.columns ?? {}).map(([name, target]) => [normalizeName(name), target]),
  );
  const usedColumns = getUsedColumns(mapping);
  return (columns: readonly string[]) => {
    const readers = new Map<string, ReadCell>();
    const columnByTarget = new Map<string, string>();
    const unmappedColumns: string[] = [];
    const unpivoted: UnpivotedColumn[] = [];
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
        const value = name === '' ? undefined : getUnpivotedValue(mapping.unpivot, name);
        if (value !== undefined && !isUsed) unpivoted.push({ index, value });
        else if (name === '') unnamedColumns.push(index);
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
    const { unpivot } = mapping;
    if (unpivot && unpivoted.length > 0) {
      knownColumnCount += unpivot.columns ? unpivoted.length : 0;
      // The value and the figure follow the cells of a row.
      readers.set(unpivot.field, (cells) => cells[columns.length]);
      readers.set(unpivot.measure, (cells) => cells[columns.length + 1]);
    }
    return {
      readers,
      unmappedColumns,
      conflictingColumns,
      unnamedColumns,
      knownColumnCount,
      unpivoted: unpivot && unpivoted,
    };
  };
}

function getUnpivotedValue(unpivot: Mapping['unpivot'], name: string): string | undefined {
  if (!unpivot?.columns) return unpivot && name;
  const column = Object.keys(unpivot.columns).find(
    (each) => normalizeName(each) === normalizeName(name),
  );
  return column && unpivot.columns[column];
}

function getUsedColumns({ fields = {}, lookup }: Mapping): ReadonlySet<string> {
  const names = Object.values(fields).flatMap(getReferencedColumns);
  return new Set([...names, ...getReferencedColumns(lookup?.by ?? '')].map(normalizeName));
}

/** Rejects a mapping with targets that are not fields, or that scales anything but numbers. */
function assertKnownTargets({ fields, lists }: FieldTargets, mapping: Mapping): void {
  const { columns = {}, fields: expressions = {}, scale = {}, zeroIsBlank = [] } = mapping;
  const isKnown = (target: string) => {
    if (fields.has(target)) return true;
    const [, list = '', member = ''] = /^([^.:]+)([.:].+)$/.exec(target) ?? [];
    return lists.has(list) && (member.startsWith('.') || member === ':key' || member === ':value');
  };
  const scaled = [...Object.keys(scale), ...zeroIsBlank];
  const mapped = Object.values(columns).filter((target) => target !== null);
  const unpivoted = mapping.unpivot ? [mapping.unpivot.field, mapping.unpivot.measure] : [];
  const unknown = [...mapped, ...Object.keys(expressions), ...scaled, ...unpivoted].find(
    (target) => !isKnown(target),
  );
  if (unknown !== undefined) {
    const names = [...fields.keys()].join(', ');
    throw new InvalidFileError(
      `the mapping names "${unknown}", which is no field; there are ${names}`,
    );
  }
  const nonNumeric = scaled.find((target) => {
    const type = fields.get(target)?.field.schema.type;
    return type !== undefined && type !== 'number' && type !== 'integer';
  });
  if (nonNumeric !== undefined) {
    const advice = 'of a list, name the parts: LIST.KEY or LIST:value';
    throw new InvalidFileError(`the mapping scales "${nonNumeric}", which is no number; ${advice}`);
  }
}

/** Scaled fields without a column, and policies for rows that the file does not have. */
function findIneffectiveKeys(
  { scale = {}, zeroIsBlank = [], repeatedKeys }: Mapping,
  readers: ReadonlyMap<string, ReadCell>,
  { lists }: FieldSources,
): string[] {
  const isUnread = (target: string) => !readers.has(target);
  const keys = [
    ...Object.keys(scale)
      .filter(isUnread)
      .map((target) => `"scale" of ${target}`),
    ...zeroIsBlank.filter(isUnread).map((target) => `"zeroIsBlank" of ${target}`),
  ];
  const hasKeyRows = lists.some(({ keyAndValueRows }) => keyAndValueRows);
  return repeatedKeys && !hasKeyRows ? [...keys, '"repeatedKeys"'] : keys;
}

function createFieldCompiler(
  mapping: Mapping,
  valueFormat: ValueFormat,
  externalColumns: ExternalColumns,
) {
  const toNumber = createConverter(amountIn('any unit')('A figure'), valueFormat);
  return (findColumn: FindColumn) => {
    const resolveColumn: ResolveColumn = (name) => {
      const index = findColumn(name);
      if (index === undefined) return externalColumns.column(name, resolveColumn);
      if (index === 'ambiguous')
        throw new AmbiguousColumnsError(`two columns are called "${name}"`);
      return (cells) => cells[index];
    };
    const readers = new Map<string, ReadCell>();
    const explainers = new Map<string, ExplainBlank>();
    const missing = new Set<string>();
    for (const [target, expression] of Object.entries(mapping.fields ?? {})) {
      try {
        readers.set(target, compileExpression(expression, resolveColumn, toNumber));
        const explainBlank = externalColumns.explainBlank(expression, resolveColumn);
        if (explainBlank) explainers.set(target, explainBlank);
      } catch (cause) {
        // Rows that are not headers lack most columns, so only the columns missing in the best row are reported.
        if (!(cause instanceof MissingColumnError)) throw cause;
        missing.add(cause.column);
      }
    }
    return { readers, explainers, missingReferencedColumns: [...missing] };
  };
}
