import type { SchemaElement, TimeUnit } from 'hyparquet';

/** What stored values stand for; `STORED` is what the stored type says by itself. */
export type LogicalType =
  | { type: 'DECIMAL'; scale: number }
  | { type: 'TIMESTAMP'; unit: TimeUnit; utc: boolean }
  | { type: 'TIME'; unit: TimeUnit }
  | { type: 'DATE' | 'UNSIGNED' | 'UUID' | 'FLOAT16' | 'STORED' | UnsupportedType };

/** What a column's values stand for: files say it in two ways, and the older has no local times. */
export function resolveLogicalType({
  logical_type: logical,
  converted_type: older,
  scale,
}: SchemaElement): LogicalType {
  if (logical?.type === 'DECIMAL') return { type: 'DECIMAL', scale: logical.scale };
  if (logical?.type === 'TIMESTAMP') {
    return { type: 'TIMESTAMP', unit: logical.unit, utc: logical.isAdjustedToUTC };
  }
  if (logical?.type === 'TIME') return { type: 'TIME', unit: logical.unit };
  if (logical?.type === 'INTEGER') return { type: logical.isSigned ? 'STORED' : 'UNSIGNED' };
  const said = logical?.type ?? older;
  switch (said) {
    case 'DECIMAL':
      return { type: said, scale: scale ?? 0 };
    case 'TIMESTAMP_MILLIS':
    case 'TIMESTAMP_MICROS':
      return { type: 'TIMESTAMP', unit: said.slice('TIMESTAMP_'.length) as TimeUnit, utc: true };
    case 'TIME_MILLIS':
    case 'TIME_MICROS':
      return { type: 'TIME', unit: said.slice('TIME_'.length) as TimeUnit };
    case 'DATE':
    case 'UUID':
    case 'FLOAT16':
      return { type: said };
    case 'UINT_8':
    case 'UINT_16':
    case 'UINT_32':
    case 'UINT_64':
      return { type: 'UNSIGNED' };
    default:
      return { type: UNSUPPORTED_TYPES.find((unread) => unread === said) ?? 'STORED' };
  }
}

const UNSUPPORTED_TYPES = ['BSON', 'INTERVAL', 'VARIANT', 'GEOMETRY', 'GEOGRAPHY'] as const;
type UnsupportedType = (typeof UNSUPPORTED_TYPES)[number];
