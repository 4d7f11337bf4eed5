import { useEffect, useRef } from 'preact/hooks';
import type { ViewRoute } from '../routing/view-route.ts';

/**
 * Keeps the focus where the visitor is: on the content after a step to another view, and wherever
 * a step took away what had it. Whoever goes by keys or listens then goes on from there.
 */
export function useFocusManagement(place: ViewRoute, isThere: boolean): void {
  const before = useRef(place);
  useEffect(() => {
    if (!isThere || !isFocusPending) return;
    isFocusPending = false;
    focusView();
  }, [isThere]);
  useEffect(() => {
    if (before.current === place) return;
    const isElsewhere = before.current.view !== place.view;
    before.current = place;
    const { activeElement, body } = document;
    if (isElsewhere || !activeElement || activeElement === body) {
      focusView();
    }
  }, [place]);
}

let isFocusPending = false;

/** For whoever presses a button that is gone once they are in: the content then has the focus. */
export function focusViewWhenReady(): void {
  isFocusPending = true;
}

/** To the content, without moving the page. */
export function focusView(): void {
  document.getElementById('view')?.focus({ preventScroll: true });
}
