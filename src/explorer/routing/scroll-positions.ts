import { createLookupTable } from '../../shared/lookup-table.ts';

/**
 * The scroll positions of the page and its tables, by the label of each table. Kept in the state of a history
 * entry, which outlives the page.
 */
interface ScrollPositions {
  readonly page: number;
  readonly tables: Readonly<Record<string, readonly [left: number, top: number]>>;
}

/** Browsers limit how often a history entry may change. */
const SAVE_DELAY_MS = 300;

/**
 * Restores scroll positions when the visitor goes back or forward, or reloads: browsers do so at once, before
 * the data has arrived.
 */
export function startScrollRestoration(): void {
  history.scrollRestoration = 'manual';
  if (history.state) restorePositions(history.state);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onScroll = () => {
    clearTimeout(timer);
    timer = setTimeout(savePositions, SAVE_DELAY_MS);
  };
  addEventListener('scroll', onScroll, { capture: true, passive: true });
}

export function pushEntry(url: string): void {
  savePositions();
  history.pushState(null, '', url);
}

export function replaceEntry(url: string): void {
  history.replaceState(history.state, '', url);
}

/** To be called on `popstate`. */
export function enterEntry(state: Partial<ScrollPositions> | null): void {
  restorePositions(state ?? {});
}

function savePositions(): void {
  const tables: Record<string, readonly [number, number]> = {};
  for (const [label, table] of findTables()) tables[label] = [table.scrollLeft, table.scrollTop];
  history.replaceState({ page: scrollY, tables } satisfies ScrollPositions, '');
}

function findTables(): [label: string, table: Element][] {
  return Array.from(document.querySelectorAll('.table-scroll'), (table) => [
    table.getAttribute('aria-label') ?? '',
    table,
  ]);
}

/** Data that takes longer is not awaited. */
const MAX_RESTORE_MS = 8_000;
const USER_EVENTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'];
let stopRestoring: (() => void) | undefined;

/** Scrolls as the content arrives, until it is complete or the visitor does something. */
function restorePositions(positions: Partial<ScrollPositions>): void {
  stopRestoring?.();
  const controller = new AbortController();
  const { signal } = controller;
  const endMs = Date.now() + MAX_RESTORE_MS;
  stopRestoring = () => controller.abort();
  for (const type of USER_EVENTS) addEventListener(type, () => controller.abort(), { signal });
  const step = () => {
    if (signal.aborted) return;
    const isLoading = document.querySelector('.loading, [aria-busy="true"]') !== null;
    applyPositions(positions);
    if (isLoading && Date.now() < endMs) requestAnimationFrame(step);
    else controller.abort();
  };
  // Starts only after the page has rendered the entry.
  requestAnimationFrame(() => requestAnimationFrame(step));
}

/** An entry of an earlier version of the page may lack them. */
function applyPositions({ page = 0, tables = {} }: Partial<ScrollPositions>): void {
  for (const [label, table] of findTables()) {
    const [left, top] = createLookupTable(tables)[label] ?? [0, 0];
    table.scrollTo(left, top);
  }
  scrollTo(0, page);
}
