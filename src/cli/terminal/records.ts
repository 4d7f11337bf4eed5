import { greatest } from './extremes.ts';
import type { Look } from './look.ts';
import { padded, visible, widthOf, wrapped } from './text.ts';

/** A value with its name, as it stands in a list. */
export interface Entry {
  readonly name: string;
  readonly value: string;
  readonly unit?: string;
}

/** Records as lists of names and values, with a blank line between two; long values go on below. */
export function recordLines(
  records: readonly (readonly Entry[])[],
  { width, bold, dim }: Look,
): string[] {
  const shown = records.map((record) => record.map(shownEntry));
  const names = greatest(shown.flat().map(({ name }) => widthOf(name)));
  const room = Math.max(LEAST_ROOM, width - names - BETWEEN.length);
  return shown.flatMap((record, at) => [
    ...(at > 0 ? [''] : []),
    ...record.flatMap(({ name, value, unit }) => {
      const lines = wrapped(value, room);
      const last = lines.pop() ?? '';
      const isBeside = !unit || widthOf(last) + BETWEEN.length + widthOf(unit) <= room;
      const ends = isBeside ? [unit ? `${last}${BETWEEN}${dim(unit)}` : last] : [last, dim(unit)];
      return [...lines, ...ends].map((line, place) =>
        `${place === 0 ? bold(name) : ''}${padded('', names - (place === 0 ? widthOf(name) : 0))}${BETWEEN}${line}`.trimEnd(),
      );
    }),
  ]);
}

const BETWEEN = '  ';
/** Where names leave less, lines are longer than the width. */
const LEAST_ROOM = 20;

function shownEntry({ name, value, unit = '' }: Entry): Required<Entry> {
  return { name: visible(name), value: visible(value), unit: visible(unit) };
}
