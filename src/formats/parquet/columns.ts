import {
  type FileMetaData,
  type ParquetType,
  parquetSchema,
  type SchemaElement,
  type SchemaTree,
  type TimeUnit,
} from 'hyparquet';
import { DAY_MS } from '../../shared/calendar.ts';
import { memoize } from '../../shared/memoize.ts';
import { type FileCell, InvalidFileError } from '../file-contents.ts';
import { toSingleLine } from './page-bounds.ts';

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

/** An integer; beyond ±(2^53 − 1) its digits as text, which no number field accepts. */
function toSafeInteger(value: number | bigint): FileCell {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

/** The shortest decimal of a 32-bit float: 0.1, not 0.10000000149011612. */
export function toShortestFloat(value: number): number {
  // Six digits show whether fewer suffice, except for subnormal floats, which have fewer bits.
  for (let digits = Math.abs(value) < 2 ** -126 ? 1 : 6; digits < 9; digits += 1) {
    const number = Number(value.toPrecision(digits));
    if (Object.is(Math.fround(number), value)) return number;
  }
  // Nine digits always suffice, but those of -0 have no sign.
  return value === 0 ? value : Number(value.toPrecision(9));
}

/** The number nearest to a decimal, which is stored as an unscaled integer and a scale. */
export function toDecimal(unscaled: number | bigint | Uint8Array, scale: number): FileCell {
  const integer = unscaled instanceof Uint8Array ? toSignedBigInt(unscaled) : unscaled;
  return scale === 0 ? toSafeInteger(integer) : Number(`${integer}e-${scale}`);
}

/** Days since 1970-01-01 as `YYYY-MM-DD`; beyond the calendar, the number as text. */
export function formatDayCount(days: number): string {
  const date = new Date(days * DAY_MS);
  return Number.isNaN(date.getTime()) ? String(days) : formatDatePart(date);
}

/** `YYYY-MM-DD`, with `THH:MM:SS` unless midnight; beyond the calendar, the number as text. */
export function formatTimestamp(value: number | bigint, unit: TimeUnit, utc: boolean): string {
  const { date, fraction } = splitTimestamp(BigInt(value), unit);
  if (Number.isNaN(date.getTime())) return String(value);
  const time = formatTimePart(date) + fraction;
  const day = formatDatePart(date);
  return time === '00:00:00' ? day : `${day}T${time}${utc ? 'Z' : ''}`;
}

/** `HH:MM:SS`, with a fraction if there is one; beyond a day, the number as text. */
export function formatTime(value: number | bigint, unit: TimeUnit): string {
  const { date, fraction } = splitTimestamp(BigInt(value), unit);
  const isInDay = date.getTime() >= 0 && date.getTime() < DAY_MS;
  return isInDay ? formatTimePart(date) + fraction : String(value);
}

function formatUuid(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

const FRACTION_DIGITS: Readonly<Record<TimeUnit, number>> = { MILLIS: 3, MICROS: 6, NANOS: 9 };

/** The date to the second, and the fraction as `.mmm`, `.mmmuuu`, `.mmmuuunnn` or empty text. */
function splitTimestamp(value: bigint, unit: TimeUnit): { date: Date; fraction: string } {
  const perSecond = 10n ** BigInt(FRACTION_DIGITS[unit]);
  const remainder = ((value % perSecond) + perSecond) % perSecond;
  const date = new Date(Number((value - remainder) / perSecond) * 1000);
  const digits = String(remainder)
    .padStart(FRACTION_DIGITS[unit], '0')
    .replace(/(000)+$/, '');
  return { date, fraction: digits && `.${digits}` };
}

const formatDatePart = (date: Date) => date.toISOString().slice(0, -'T00:00:00.000Z'.length);
const formatTimePart = (date: Date) =>
  date.toISOString().slice(-'00:00:00.000Z'.length, -'.000Z'.length);

/** Big-endian two's complement. */
function toSignedBigInt(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n;
  return BigInt.asIntN(8 * bytes.length, BigInt(`0x${Buffer.from(bytes).toString('hex')}`));
}
