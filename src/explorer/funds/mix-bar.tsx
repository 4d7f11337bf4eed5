import type { Palette } from '../breakdown/breakdown-components.ts';
import { formatWithUnit, type UnitInfo } from '../formatting/numbers.ts';
import type { FundAllocationRecord } from './fund-record.ts';
import { buildMix } from './mix.ts';

interface MixBarProps {
  readonly record: FundAllocationRecord;
  readonly palette: Palette;
  readonly unitInfo: UnitInfo;
}

const WIDTH = 120;
const HEIGHT = 14;

/** A small picture of a fund's newest mix. */
export function MixBar({ record, palette, unitInfo }: MixBarProps) {
  const segments = buildMix(record, palette);
  const text = segments
    .map(({ label, share }) => `${label} ${formatWithUnit(share, unitInfo)}`)
    .join(', ');
  const label = `${record.periods[0]?.label ?? ''}: ${text}`;
  return (
    <svg class="mix-bar" width={WIDTH} height={HEIGHT} role="img" aria-label={label}>
      <title>{label}</title>
      {segments.map((segment) => (
        <rect
          key={segment.label}
          class={`color-${segment.colorIndex}`}
          x={segment.start * WIDTH}
          width={segment.width * WIDTH}
          height={HEIGHT}
        />
      ))}
    </svg>
  );
}
