import { maxOf } from './min-max.ts';
import type { TerminalStyle } from './terminal-style.ts';
import { displayWidth, escapeControls, padText, wrapText } from './text.ts';

/** A value with its name, as it stands in a list. */
export interface NamedValue {
  readonly name: string;
  readonly value: string;
  readonly unit?: string;
}

/** Records as lists of names and values, with a blank line between two; long values go on below. */
export function formatRecordList(
  records: readonly (readonly NamedValue[])[],
  { width, bold, dim }: TerminalStyle,
): string[] {
  const shown = records.map((record) => record.map(toVisibleEntry));
  const names = maxOf(shown.flat().map(({ name }) => displayWidth(name)));
  const room = Math.max(MIN_VALUE_WIDTH, width - names - COLUMN_GAP.length);
  return shown.flatMap((record, index) => [
    ...(index > 0 ? [''] : []),
    ...record.flatMap(({ name, value, unit }) => {
      const lines = wrapText(value, room);
      const last = lines.pop() ?? '';
      const isBeside = !unit || displayWidth(last) + COLUMN_GAP.length + displayWidth(unit) <= room;
      const ends = isBeside
        ? [unit ? `${last}${COLUMN_GAP}${dim(unit)}` : last]
        : [last, dim(unit)];
      return [...lines, ...ends].map((line, place) =>
        `${place === 0 ? bold(name) : ''}${padText('', names - (place === 0 ? displayWidth(name) : 0))}${COLUMN_GAP}${line}`.trimEnd(),
      );
    }),
  ]);
}

const COLUMN_GAP = '  ';
/** Where names leave less, lines are longer than the width. */
const MIN_VALUE_WIDTH = 20;

function toVisibleEntry({ name, value, unit = '' }: NamedValue): Required<NamedValue> {
  return { name: escapeControls(name), value: escapeControls(value), unit: escapeControls(unit) };
}
