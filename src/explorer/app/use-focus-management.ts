import { useEffect, useRef } from 'preact/hooks';
import type { ViewRoute } from '../routing/view-route.ts';

/**
 * Keeps the focus where the visitor is: on the content after a step to another view, and wherever
 * a step took away what had it. Whoever goes by keys or listens then goes on from there.
 */
export function useFocusManagement(route: ViewRoute, exists: boolean): void {
  const before = useRef(route);
  useEffect(() => {
    if (!exists || !isFocusPending) return;
    isFocusPending = false;
    focusView();
  }, [exists]);
  useEffect(() => {
    if (before.current === route) return;
    const isElsewhere = before.current.view !== route.view;
    before.current = route;
    const { activeElement, body } = document;
    if (isElsewhere || !activeElement || activeElement === body) {
      focusView();
    }
  }, [route]);
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
