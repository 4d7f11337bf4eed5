import type { CellRow } from '../../formats/read-contents.ts';

/**
 * The names of columns that several rows name, one below the other: `2023 Volume`. A name in an
 * upper row holds for the blank cells after it, as those of merged cells are.
 */
export function joinHeaderRows(rows: readonly CellRow[]): string[] {
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const texts = rows.map(({ cells }, index) => {
    const isLast = index === rows.length - 1;
    let left = '';
    return Array.from({ length: width }, (_, column) => {
      const text = String(cells[column] ?? '')
        .trim()
        .replace(/\s+/g, ' ');
      left = text === '' && !isLast ? left : text;
      return left;
    });
  });
  return Array.from({ length: width }, (_, column) =>
    texts
      .map((row) => row[column])
      .filter((text) => text !== '')
      .join(' '),
  );
}
