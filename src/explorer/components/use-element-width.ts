import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** The current width of an element, in whole pixels; 0 until it is measured. */
export function useElementWidth(ref: RefObject<Element | null>): number {
  const [width, setWidth] = useState(0);
  // Measured before the first paint, so that the following content does not move.
  useLayoutEffect(() => {
    if (!ref.current) return;
    setWidth(ref.current.clientWidth);
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.floor(entry?.contentRect.width ?? 0)),
    );
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return width;
}
