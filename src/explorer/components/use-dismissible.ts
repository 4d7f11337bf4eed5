import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

interface Dismissible<E> {
  readonly root: RefObject<E | null>;
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
}

/** Something that opens, and closes with Escape and when the visitor turns to something else. */
export function useDismissible<E extends HTMLElement>(): Dismissible<E> {
  const root = useRef<E>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (!isOpen) return;
    const onElsewhere = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      root.current?.querySelector('button')?.focus();
    };
    addEventListener('pointerdown', onElsewhere);
    addEventListener('focusin', onElsewhere);
    addEventListener('keydown', onKey);
    return () => {
      removeEventListener('pointerdown', onElsewhere);
      removeEventListener('focusin', onElsewhere);
      removeEventListener('keydown', onKey);
    };
  }, [isOpen]);
  return { root, isOpen, setOpen };
}
