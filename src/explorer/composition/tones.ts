import { newestOf, type Part, sumOf } from './part.ts';

/** A part with the colour that it has wherever it is drawn. */
export interface Toned extends Part {
  readonly tone: number;
}

export interface Palette {
  readonly parts: readonly Toned[];
  /** What is too much for the colours there are: those parts share the neutral one. */
  readonly rest: readonly Part[];
}

/** The whole, where it stands beside its parts. */
export const WHOLE_TONE = 9;

const NEUTRAL = 7;
const HUES = [1, 2, 3, 4, 5, 6, 8];
/** The neutral one comes last: it looks like less than it is. */
const TONES = [...HUES, NEUTRAL];

/**
 * Gives parts their colours. Where there are more than colours, the largest seven have one each;
 * the rest share the neutral one, as one part where they may be added up.
 */
export function paletteOf(parts: readonly Part[], canSum: boolean): Palette {
  if (parts.length <= TONES.length) {
    const own = parts.map((part, index) => ({ ...part, tone: TONES[index] ?? NEUTRAL }));
    return { parts: own, rest: [] };
  }
  const bySize = parts.toSorted((one, other) => sizeOf(other) - sizeOf(one));
  const large = new Set(bySize.slice(0, HUES.length));
  const small = parts.filter((part) => !large.has(part));
  const hues = HUES.values();
  const coloured = parts.flatMap((part): Toned[] => {
    if (large.has(part)) return [{ ...part, tone: hues.next().value ?? NEUTRAL }];
    return canSum ? [] : [{ ...part, tone: NEUTRAL }];
  });
  if (!canSum) return { parts: coloured, rest: small };
  return { parts: [...coloured, { ...together(small), tone: NEUTRAL }], rest: small };
}

/** What is known by it stands for all parts of the rest: nothing else is called so. */
export const REST = '…';

/** Parts as one. */
export function together(parts: readonly Part[]): Part {
  const { field = '', measure = { kind: 'numbers', unit: null } } = parts[0] ?? {};
  return sumOf(parts, { key: REST, title: `${parts.length} others, together`, field, measure });
}

function sizeOf(part: Part): number {
  return newestOf(part) ?? 0;
}
