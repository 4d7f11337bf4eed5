import { useEffect, useRef } from 'preact/hooks';
import type { Place } from '../address/place.ts';

/**
 * Keeps the focus where the visitor is: on the content after a step to another view, and wherever
 * a step took away what had it. Whoever goes by keys or listens then goes on from there.
 */
export function useFocusKept(place: Place, isThere: boolean): void {
  const before = useRef(place);
  useEffect(() => {
    if (!isThere || !isAwaited) return;
    isAwaited = false;
    toView();
  }, [isThere]);
  useEffect(() => {
    if (before.current === place) return;
    const isElsewhere = before.current.view !== place.view;
    before.current = place;
    const { activeElement, body } = document;
    if (isElsewhere || !activeElement || activeElement === body) {
      toView();
    }
  }, [place]);
}

let isAwaited = false;

/** For whoever presses a button that is gone once they are in: the content then has the focus. */
export function awaitView(): void {
  isAwaited = true;
}

/** To the content, without moving the page. */
export function toView(): void {
  document.getElementById('view')?.focus({ preventScroll: true });
}
