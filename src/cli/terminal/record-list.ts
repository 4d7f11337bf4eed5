import { maxOf } from './min-max.ts';
import type { TerminalStyle } from './terminal-style.ts';
import { displayWidth, escapeControls, padText, wrapText } from './text.ts';

interface NamedValue {
  readonly name: string;
  readonly value: string;
  readonly unit?: string;
}

/** Records as lists of names and values, separated by blank lines; long values are wrapped. */
export function formatRecordList(
  records: readonly (readonly NamedValue[])[],
  { width, bold, dim }: TerminalStyle,
): string[] {
  const escaped = records.map((record) => record.map(escapeEntry));
  const nameWidth = maxOf(escaped.flat().map(({ name }) => displayWidth(name)));
  const valueWidth = Math.max(MIN_VALUE_WIDTH, width - nameWidth - COLUMN_GAP.length);
  return escaped.flatMap((record, index) => [
    ...(index > 0 ? [''] : []),
    ...record.flatMap(({ name, value, unit }) => {
      const lines = wrapText(value, valueWidth);
      const last = lines.pop() ?? '';
      const fits = displayWidth(last + COLUMN_GAP + unit) <= valueWidth;
      const ending = unit && fits ? [`${last}${COLUMN_GAP}${dim(unit)}`] : [last, dim(unit)];
      return [...lines, ...ending.filter((line, index) => index === 0 || line)].map(
        (line, index) => {
          const label = index === 0 ? bold(name) : '';
          return (padText(label, nameWidth) + COLUMN_GAP + line).trimEnd();
        },
      );
    }),
  ]);
}

const COLUMN_GAP = '  ';
/** If long names leave less space, lines are longer than the width. */
const MIN_VALUE_WIDTH = 20;

function escapeEntry({ name, value, unit = '' }: NamedValue): Required<NamedValue> {
  return { name: escapeControls(name), value: escapeControls(value), unit: escapeControls(unit) };
}
