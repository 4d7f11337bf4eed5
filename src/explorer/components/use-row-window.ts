import { options, type RefObject } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { computeRowWindow, type RowWindow } from './row-window.ts';

/** Longer tables are windowed; shorter ones are rendered completely, so that the browser's search finds all text. */
const MAX_WHOLE_ROWS = 400;
/** A printed table has no scroll bar, and ten thousand rows would be three hundred pages. */
const MAX_PRINTED_ROWS = 1_000;

const DEFAULT_ROW_PIXELS = 31;
const DEFAULT_AREA_PIXELS = 544;

/** Tracks the scroll position of a table whose rows are about equally high. */
export function useRowWindow(rowCount: number, area: RefObject<HTMLElement | null>): RowWindow {
  const isPrinting = useIsPrinting();
  const isWindowed = rowCount > MAX_WHOLE_ROWS;
  const [rowPixels, setRowPixels] = useState(DEFAULT_ROW_PIXELS);
  const [view, setView] = useState({ top: 0, height: DEFAULT_AREA_PIXELS });
  useEffect(() => {
    const element = area.current;
    if (!isWindowed || !element) return;
    const update = () => setView({ top: element.scrollTop, height: element.clientHeight });
    update();
    const observer = new ResizeObserver(update);
    observer.observe(element);
    element.addEventListener('scroll', update, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', update);
    };
  }, [isWindowed]);
  useLayoutEffect(() => {
    const measured = isWindowed && !isPrinting && measureRowPixels(area.current);
    if (measured && Math.abs(measured - rowPixels) > 0.5) setRowPixels(measured);
  }, [isWindowed, isPrinting, rowCount, view.height]);
  if (isPrinting)
    return { from: 0, to: Math.min(rowCount, MAX_PRINTED_ROWS), pixelsAbove: 0, pixelsBelow: 0 };
  if (!isWindowed) return { from: 0, to: rowCount, pixelsAbove: 0, pixelsBelow: 0 };
  return computeRowWindow(rowCount, rowPixels, view);
}

/** The mean height of the rendered rows; undefined without rows. */
function measureRowPixels(area: HTMLElement | null): number | undefined {
  const rows = area?.querySelectorAll('tbody tr:not(.row-spacer)');
  const [first, last] = [rows?.[0], rows?.[rows.length - 1]];
  if (!rows || !first || !last) return undefined;
  return (last.getBoundingClientRect().bottom - first.getBoundingClientRect().top) / rows.length;
}

/** Whether the page is being printed. Rendered at once, because printing does not wait. */
function useIsPrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    addEventListener('beforeprint', () => renderNow(() => setPrinting(true)), { signal });
    addEventListener('afterprint', () => setPrinting(false), { signal });
    return () => controller.abort();
  }, []);
  return isPrinting;
}

/** Renders what a callback changes before it returns. */
function renderNow(change: () => void): void {
  options.debounceRendering = (render) => render();
  try {
    change();
  } finally {
    delete options.debounceRendering;
  }
}
