import type { SheetProfile } from '../inspect-file.ts';
import { quote } from './code.ts';
import type { FieldPlan } from './field-plan.ts';
import { isUsed } from './field-plan.ts';

/** Two or three columns that tell the header from other rows. */
export function writeTableArguments(sheet: SheetProfile, fields: readonly FieldPlan[]): string {
  const names = sheet.columns.map(({ name }) => name).filter((name) => name !== '');
  const isUnique = (name: string) => names.indexOf(name) === names.lastIndexOf(name);
  const used = names.filter((name) => isUsed(name, fields) && isUnique(name));
  const chosen = (used.length > 0 ? used : names.filter(isUnique)).slice(0, 3);
  const headerRows = sheet.headers[0]?.positions.length ?? 1;
  const options = headerRows > 1 ? `, { headerRows: ${headerRows} }` : '';
  return `[${chosen.map(quote).join(', ')}]${options}`;
}

/** Headings have nothing in the columns after them. */
export function writeSectionLine(column: string, { columns }: SheetProfile): string {
  const index = columns.findIndex(({ name }) => name === column);
  return `if (row.cells.slice(${index + 1}).join('').trim() === '') section = row.text(${quote(column)});`;
}

/** Stops at the end of the table where another one follows. */
export function writeEnd({ end }: SheetProfile): string[] {
  return end === undefined ? [] : [`if (row.position > ${end}) break; // another table`];
}

/** Takes cells that hold for the rows below them from above. */
export function readAbove(line: string, carried: readonly string[]): string {
  return carried.reduce((text, name) => {
    const above = `above[${quote(name)}] ?? ''`;
    return text
      .replaceAll(`row.text(${quote(name)})`, above)
      .replaceAll(`row.get(${quote(name)})`, above);
  }, line);
}

/** Lines that keep the cells which hold for the rows below them. */
export const writeAbove = (columns: readonly string[]) => ({
  above: columns.length > 0 ? ['const above: Record<string, string> = {};'] : [],
  fill:
    columns.length > 0
      ? [
          `for (const name of [${columns.map(quote).join(', ')}]) above[name] = row.text(name) || (above[name] ?? '');`,
        ]
      : [],
});

export const needsDataCheck = ({ totals, sections, notes }: SheetProfile) =>
  totals.length + sections.length + notes.length > 0;

export function writeDataCheck({ totals, sections, notes, columns }: SheetProfile): string[] {
  const filled = Math.max(1, Math.floor(columns.length / 4));
  const examples = [totals, sections, notes].flatMap(([first]) =>
    first ? [quote(first.text)] : [],
  );
  const isTotal =
    'cells.some((cell) => /^(sub|grand|net)?[ -]*(total|sum)\\b/i.test(String(cell).trim()))';
  return [
    '',
    `// Not ${examples.join(', ')}.`,
    'function isData(row: Row): boolean {',
    "  const cells = row.cells.filter((cell) => String(cell ?? '').trim() !== '');",
    `  return cells.length > ${filled}${totals.length > 0 ? ` && !${isTotal}` : ''};`,
    '}',
  ];
}
