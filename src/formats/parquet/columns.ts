import { type FileMetaData, parquetSchema, type SchemaElement, type SchemaTree } from 'hyparquet';
import { type Cell, FileRefused } from '../format.ts';
import { oneLine } from './file.ts';
import { meaningOf } from './meaning.ts';
import {
  clockText,
  dayText,
  decimalNumber,
  floatNumber,
  instantText,
  uuidText,
  wholeNumber,
} from './values.ts';

/** A column of a Parquet file, and what becomes of its values. */
export interface ParquetColumn {
  readonly name: string;
  /** How hyparquet is to decode it: as stored, since its own decimals pass through floats. */
  readonly stored: SchemaElement;
  /** The cell of a stored value that is not null. */
  readonly cell: (value: never) => Cell;
}

/** The columns in their order; refuses what is no table: nested values, or one name twice. */
export function columnsOf(footer: FileMetaData): ParquetColumn[] {
  const names = new Set<string>();
  return childrenOf(footer).map(({ element, children }) => {
    const { name } = element;
    if (names.has(name)) throw new FileRefused(`has two columns called ${oneLine(name)}`);
    names.add(name);
    if (children.length > 0 || element.repetition_type === 'REPEATED') {
      const where = `column ${oneLine(name)}`;
      throw new FileRefused(`${where} holds nested values; write each of them as a column`);
    }
    return column(element);
  });
}

function childrenOf(footer: FileMetaData): SchemaTree[] {
  try {
    return parquetSchema(footer).children;
  } catch (error) {
    throw new FileRefused(`has a schema that cannot be read: ${oneLine(error)}`, { cause: error });
  }
}

function column(element: SchemaElement): ParquetColumn {
  const { name, type, type_length, repetition_type } = element;
  const stored = { name, type, type_length, repetition_type } as SchemaElement;
  const as = <Stored>(cell: (value: Stored) => Cell): ParquetColumn => ({ name, stored, cell });
  const text: ParquetColumn = {
    name,
    stored: { ...stored, converted_type: 'UTF8' },
    cell: (value: string) => value,
  };

  const meaning = meaningOf(element);
  switch (meaning.type) {
    case 'DECIMAL':
      return as<number | bigint | Uint8Array>((value) => decimalNumber(value, meaning.scale));
    case 'DATE':
      return as(remembering(dayText));
    case 'TIMESTAMP':
      return as<bigint>((value) => instantText(value, meaning.unit, meaning.utc));
    case 'TIME':
      return as<number | bigint>((value) => clockText(value, meaning.unit));
    case 'UNSIGNED':
      return as<number | bigint>((value) =>
        wholeNumber(typeof value === 'number' ? value >>> 0 : BigInt.asUintN(64, value)),
      );
    case 'UUID':
      return as(uuidText);
    case 'FLOAT16':
      return {
        ...as<number>((value) => value),
        stored: { ...stored, logical_type: { type: 'FLOAT16' } },
      };
    case 'STORED':
      break;
    default:
      throw new FileRefused(
        `column ${oneLine(name)} holds ${meaning.type} values, which are not read`,
      );
  }

  switch (type) {
    case 'BOOLEAN':
      return as<boolean>((value) => (value ? 'TRUE' : 'FALSE'));
    case 'INT32':
    case 'INT64':
      return as(wholeNumber);
    case 'INT96':
      return as<bigint>((value) => instantText(value, 'NANOS', false));
    case 'FLOAT':
      return as(floatNumber);
    case 'DOUBLE':
      return as<number>((value) => value);
    default:
      return text;
  }
}

const REMEMBERED = 65_536;

/** The same answers, most of them from memory: the days of a table are few, and repeat. */
function remembering(textOf: (value: number) => string): (value: number) => string {
  const known = new Map<number, string>();
  return (value) => {
    const text = known.get(value) ?? textOf(value);
    if (known.size >= REMEMBERED) known.clear();
    known.set(value, text);
    return text;
  };
}
