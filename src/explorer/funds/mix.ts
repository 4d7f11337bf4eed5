import { OTHERS_KEY, type Palette } from '../breakdown/breakdown-components.ts';
import type { FundAllocationRecord } from './fund-record.ts';

/** A class of a fund's newest period, as a part of a bar of width 1. */
interface MixSegment {
  readonly label: string;
  readonly share: number;
  readonly colorIndex: number;
  readonly start: number;
  readonly width: number;
}

/** The newest mix, in the order of the colours. Negative shares have no width. */
export function buildMix(
  { rows }: Pick<FundAllocationRecord, 'rows'>,
  palette: Palette,
): MixSegment[] {
  const positions = new Map(palette.components.map(({ key }, index) => [key, index]));
  const smallest = new Set(palette.smallest.map(({ key }) => key));
  const shares = rows
    .map(({ label, values }) => ({
      label,
      share: values[0] ?? 0,
      position: positions.get(smallest.has(label) ? OTHERS_KEY : label) ?? 0,
    }))
    .filter(({ share }) => share !== 0)
    .toSorted((a, b) => a.position - b.position);
  const sum = shares.reduce((total, { share }) => total + Math.max(0, share), 0);
  let end = 0;
  return shares.map(({ label, share, position }) => {
    const [start, width] = [end, Math.max(0, share) / sum];
    end += width;
    return {
      label,
      share,
      start,
      width,
      colorIndex: palette.components[position]?.colorIndex ?? 0,
    };
  });
}
