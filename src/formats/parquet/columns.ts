import { type FileMetaData, parquetSchema, type SchemaElement, type SchemaTree } from 'hyparquet';
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
import { resolveLogicalType } from './logical-type.ts';
import { toSingleLine } from './parquet-file.ts';

/** A column of a Parquet file, and what becomes of its values. */
export interface ParquetColumn {
  readonly name: string;
  /** How hyparquet is to decode it: as stored, since its own decimals pass through floats. */
  readonly schemaElement: SchemaElement;
  /** The cell of a stored value that is not null. */
  readonly toCell: (value: never) => FileCell;
}

/** The columns in their order; refuses what is no table: nested values, or one name twice. */
export function readColumns(footer: FileMetaData): ParquetColumn[] {
  const names = new Set<string>();
  return getSchemaChildren(footer).map(({ element, children }) => {
    const { name } = element;
    if (names.has(name)) throw new InvalidFileError(`has two columns called ${toSingleLine(name)}`);
    names.add(name);
    if (children.length > 0 || element.repetition_type === 'REPEATED') {
      const where = `column ${toSingleLine(name)}`;
      throw new InvalidFileError(`${where} holds nested values; write each of them as a column`);
    }
    return createColumn(element);
  });
}

function getSchemaChildren(footer: FileMetaData): SchemaTree[] {
  try {
    return parquetSchema(footer).children;
  } catch (error) {
    throw new InvalidFileError(`has a schema that cannot be read: ${toSingleLine(error)}`, {
      cause: error,
    });
  }
}

function createColumn(element: SchemaElement): ParquetColumn {
  const { name, type, type_length, repetition_type } = element;
  const stored = { name, type, type_length, repetition_type } as SchemaElement;
  const as = <Stored>(cell: (value: Stored) => FileCell): ParquetColumn => ({
    name,
    schemaElement: stored,
    toCell: cell,
  });
  const text: ParquetColumn = {
    name,
    schemaElement: { ...stored, converted_type: 'UTF8' },
    toCell: (value: string) => value,
  };

  const meaning = resolveLogicalType(element);
  switch (meaning.type) {
    case 'DECIMAL':
      return as<number | bigint | Uint8Array>((value) => toDecimal(value, meaning.scale));
    case 'DATE':
      return as(memoizeNumber(formatDayCount));
    case 'TIMESTAMP':
      return as<bigint>((value) => formatTimestamp(value, meaning.unit, meaning.utc));
    case 'TIME':
      return as<number | bigint>((value) => formatTime(value, meaning.unit));
    case 'UNSIGNED':
      return as<number | bigint>((value) =>
        toSafeInteger(typeof value === 'number' ? value >>> 0 : BigInt.asUintN(64, value)),
      );
    case 'UUID':
      return as(formatUuid);
    case 'FLOAT16':
      return {
        ...as<number>((value) => value),
        schemaElement: { ...stored, logical_type: { type: 'FLOAT16' } },
      };
    case 'STORED':
      break;
    default:
      throw new InvalidFileError(
        `column ${toSingleLine(name)} holds ${meaning.type} values, which are not read`,
      );
  }

  switch (type) {
    case 'BOOLEAN':
      return as<boolean>((value) => (value ? 'TRUE' : 'FALSE'));
    case 'INT32':
    case 'INT64':
      return as(toSafeInteger);
    case 'INT96':
      return as<bigint>((value) => formatTimestamp(value, 'NANOS', false));
    case 'FLOAT':
      return as(toShortestFloat);
    case 'DOUBLE':
      return as<number>((value) => value);
    default:
      return text;
  }
}

const MAX_MEMOIZED_DAYS = 65_536;

/** The same answers, most of them from memory: the days of a table are few, and repeat. */
function memoizeNumber(textOf: (value: number) => string): (value: number) => string {
  const known = new Map<number, string>();
  return (value) => {
    const text = known.get(value) ?? textOf(value);
    if (known.size >= MAX_MEMOIZED_DAYS) known.clear();
    known.set(value, text);
    return text;
  };
}
