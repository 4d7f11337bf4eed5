import {
  type FileMetaData,
  type ParquetType,
  parquetSchema,
  type SchemaElement,
  type SchemaTree,
  type TimeUnit,
} from 'hyparquet';
import { memoize } from '../../shared/memoize.ts';
import { type FileCell, InvalidFileError } from '../file-contents.ts';
import {
  formatDayCount,
  formatTime,
  formatTimestamp,
  formatUuid,
  toDecimal,
  toSafeInteger,
  toShortestFloat,
} from './convert-values.ts';
import { toSingleLine } from './parquet-file.ts';

export interface ParquetColumn {
  readonly name: string;
  /** Makes hyparquet return stored values, because its own decimals lose precision. */
  readonly schemaElement: SchemaElement;
  readonly toCell: ToCell;
}

type ToCell = (value: never) => FileCell;

/** The columns in their order; rejects nested values and duplicate names. */
export function readColumns(footer: FileMetaData): ParquetColumn[] {
  const names = new Set<string>();
  let schema: SchemaTree;
  try {
    schema = parquetSchema(footer);
  } catch (cause) {
    throw new InvalidFileError(`has a schema that cannot be read: ${toSingleLine(cause)}`, {
      cause,
    });
  }
  return schema.children.map(({ element, children }) => {
    const { name } = element;
    if (typeof name !== 'string') throw new InvalidFileError('has a column without a name');
    if (names.has(name)) throw new InvalidFileError(`has two columns called ${toSingleLine(name)}`);
    names.add(name);
    if (children.length > 0 || element.repetition_type === 'REPEATED')
      throw new InvalidFileError(
        `column ${toSingleLine(name)} holds nested values; write each of them as a column`,
      );
    return createColumn(element);
  });
}

function createColumn(element: SchemaElement): ParquetColumn {
  const { name, type, type_length, repetition_type } = element;
  const stored = { name, type, type_length, repetition_type } as SchemaElement;
  const logicalType = resolveLogicalType(element);
  if (logicalType.type === 'FLOAT16')
    return { name, schemaElement: { ...stored, logical_type: { type: 'FLOAT16' } }, toCell: keep };
  const toCell =
    logicalType.type === 'STORED'
      ? type && PHYSICAL_CONVERTERS[type]
      : createLogicalConverter(logicalType, name);
  if (toCell) return { name, schemaElement: stored, toCell };
  return { name, schemaElement: { ...stored, converted_type: 'UTF8' }, toCell: keep };
}

const keep = (value: string | number) => value;

function createLogicalConverter(logicalType: LogicalType, name: string): ToCell {
  switch (logicalType.type) {
    case 'DECIMAL':
      return (value: number | bigint | Uint8Array) => toDecimal(value, logicalType.scale);
    case 'DATE':
      return memoize(MAX_MEMOIZED_DAYS, formatDayCount);
    case 'TIMESTAMP':
      return (value: bigint) => formatTimestamp(value, logicalType.unit, logicalType.utc);
    case 'TIME':
      return (value: number | bigint) => formatTime(value, logicalType.unit);
    case 'UNSIGNED':
      return (value: number | bigint) =>
        toSafeInteger(typeof value === 'number' ? value >>> 0 : BigInt.asUintN(64, value));
    case 'UUID':
      return formatUuid;
    default:
      throw new InvalidFileError(
        `column ${toSingleLine(name)} holds ${logicalType.type} values, which are not read`,
      );
  }
}

/** By physical type; byte arrays are text. */
const PHYSICAL_CONVERTERS: Readonly<Partial<Record<ParquetType, ToCell>>> = {
  BOOLEAN: (value: boolean) => (value ? 'TRUE' : 'FALSE'),
  INT32: toSafeInteger,
  INT64: toSafeInteger,
  INT96: (value: bigint) => formatTimestamp(value, 'NANOS', false),
  FLOAT: toShortestFloat,
  DOUBLE: keep,
};

/** The days of a table are few, and repeat. */
const MAX_MEMOIZED_DAYS = 65_536;

/** `STORED` is the physical type without a logical one. */
type LogicalType =
  | { type: 'DECIMAL'; scale: number }
  | { type: 'TIMESTAMP'; unit: TimeUnit; utc: boolean }
  | { type: 'TIME'; unit: TimeUnit }
  | { type: 'DATE' | 'UNSIGNED' | 'UUID' | 'FLOAT16' | 'STORED' | UnsupportedType };

/** From the logical type, else from the older converted type, whose timestamps are all in UTC. */
export function resolveLogicalType(element: SchemaElement): LogicalType {
  const { logical_type: logical, converted_type: converted, scale } = element;
  if (logical?.type === 'DECIMAL') return { type: 'DECIMAL', scale: logical.scale };
  if (logical?.type === 'TIMESTAMP')
    return { type: 'TIMESTAMP', unit: logical.unit, utc: logical.isAdjustedToUTC };
  if (logical?.type === 'TIME') return { type: 'TIME', unit: logical.unit };
  if (logical?.type === 'INTEGER') return { type: logical.isSigned ? 'STORED' : 'UNSIGNED' };
  const name = logical?.type ?? converted ?? '';
  const [, kind, unit] = /^(TIMESTAMP|TIME)_(MILLIS|MICROS)$/.exec(name) ?? [];
  if (kind === 'TIMESTAMP') return { type: kind, unit: unit as TimeUnit, utc: true };
  if (kind === 'TIME') return { type: kind, unit: unit as TimeUnit };
  if (name === 'DECIMAL') return { type: name, scale: scale ?? 0 };
  if (name.startsWith('UINT_')) return { type: 'UNSIGNED' };
  const types = ['DATE', 'UUID', 'FLOAT16', ...UNSUPPORTED_TYPES] as const;
  return { type: types.find((type) => type === name) ?? 'STORED' };
}

const UNSUPPORTED_TYPES = ['BSON', 'INTERVAL', 'VARIANT', 'GEOMETRY', 'GEOGRAPHY'] as const;
type UnsupportedType = (typeof UNSUPPORTED_TYPES)[number];
