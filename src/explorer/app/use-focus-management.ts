import { useEffect, useRef } from 'preact/hooks';
import type { ViewRoute } from '../routing/view-route.tsx';

/**
 * Moves the focus to the content when the view changes, or when navigation removed the focused element, so
 * that keyboard and screen reader users continue from there.
 */
export function useFocusManagement(route: ViewRoute, isReady: boolean): void {
  const previous = useRef(route);
  useEffect(() => {
    if (!isReady || !isFocusPending) return;
    isFocusPending = false;
    focusView();
  }, [isReady]);
  useEffect(() => {
    if (previous.current === route) return;
    const isOtherView = previous.current.view !== route.view;
    previous.current = route;
    const { activeElement, body } = document;
    if (isOtherView || !activeElement || activeElement === body) focusView();
  }, [route]);
}

let isFocusPending = false;

/** Focuses the content once it exists, because the sign-in button disappears. */
export function focusViewWhenReady(): void {
  isFocusPending = true;
}

export function focusView(): void {
  document.getElementById('view')?.focus({ preventScroll: true });
}
