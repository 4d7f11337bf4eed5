import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** State of a popup that closes with Escape, or when the pointer or the focus moves elsewhere. */
export function useDismissible(isInitiallyOpen = false) {
  const root = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(isInitiallyOpen);
  /** Closes the popup and returns the focus to its button. */
  const close = () => {
    setOpen(false);
    root.current?.querySelector('button')?.focus();
  };
  // Before the popup is seen: a key that is pressed at once is for it.
  useLayoutEffect(() => {
    if (!isOpen) return;
    const controller = new AbortController();
    const { signal } = controller;
    const onOutside = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    addEventListener('pointerdown', onOutside, { signal });
    addEventListener('focusin', onOutside, { signal });
    addEventListener('keydown', ({ key }) => key === 'Escape' && close(), { signal });
    return () => controller.abort();
  }, [isOpen]);
  return { root, isOpen, setOpen, close };
}
