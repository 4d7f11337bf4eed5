import type { SchemaElement, TimeUnit } from 'hyparquet';

/** `STORED` is the physical type without a logical one. */
export type LogicalType =
  | { type: 'DECIMAL'; scale: number }
  | { type: 'TIMESTAMP'; unit: TimeUnit; utc: boolean }
  | { type: 'TIME'; unit: TimeUnit }
  | { type: 'DATE' | 'UNSIGNED' | 'UUID' | 'FLOAT16' | 'STORED' | UnsupportedType };

/** From the logical type, else from the older converted type, whose timestamps are all in UTC. */
export function resolveLogicalType({
  logical_type: logical,
  converted_type: converted,
  scale,
}: SchemaElement): LogicalType {
  if (logical?.type === 'DECIMAL') return { type: 'DECIMAL', scale: logical.scale };
  if (logical?.type === 'TIMESTAMP') {
    return { type: 'TIMESTAMP', unit: logical.unit, utc: logical.isAdjustedToUTC };
  }
  if (logical?.type === 'TIME') return { type: 'TIME', unit: logical.unit };
  if (logical?.type === 'INTEGER') return { type: logical.isSigned ? 'STORED' : 'UNSIGNED' };
  const name = logical?.type ?? converted;
  switch (name) {
    case 'DECIMAL':
      return { type: name, scale: scale ?? 0 };
    case 'TIMESTAMP_MILLIS':
    case 'TIMESTAMP_MICROS':
      return { type: 'TIMESTAMP', unit: name.slice('TIMESTAMP_'.length) as TimeUnit, utc: true };
    case 'TIME_MILLIS':
    case 'TIME_MICROS':
      return { type: 'TIME', unit: name.slice('TIME_'.length) as TimeUnit };
    case 'DATE':
    case 'UUID':
    case 'FLOAT16':
      return { type: name };
    case 'UINT_8':
    case 'UINT_16':
    case 'UINT_32':
    case 'UINT_64':
      return { type: 'UNSIGNED' };
    default:
      return { type: UNSUPPORTED_TYPES.find((type) => type === name) ?? 'STORED' };
  }
}

const UNSUPPORTED_TYPES = ['BSON', 'INTERVAL', 'VARIANT', 'GEOMETRY', 'GEOGRAPHY'] as const;
type UnsupportedType = (typeof UNSUPPORTED_TYPES)[number];
