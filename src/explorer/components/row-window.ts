/** The rows of a table that are rendered, and the height of those above and below them. */
export interface RowWindow {
  readonly from: number;
  readonly to: number;
  readonly pixelsAbove: number;
  readonly pixelsBelow: number;
}

/** Rows rendered beyond each edge of what is visible. */
const OVERSCAN_ROWS = 15;

/** The visible rows and some beyond, in steps, so that not every scrolled pixel renders again. */
export function computeRowWindow(
  rowCount: number,
  rowPixels: number,
  view: { readonly top: number; readonly height: number },
): RowWindow {
  const visibleRows = Math.ceil(view.height / rowPixels);
  const size = visibleRows + 3 * OVERSCAN_ROWS;
  const firstVisible = Math.floor(view.top / rowPixels);
  const step = Math.floor(firstVisible / OVERSCAN_ROWS) - 1;
  const from = Math.max(0, Math.min(step * OVERSCAN_ROWS, rowCount - size));
  const to = Math.min(rowCount, from + size);
  return { from, to, pixelsAbove: from * rowPixels, pixelsBelow: (rowCount - to) * rowPixels };
}
