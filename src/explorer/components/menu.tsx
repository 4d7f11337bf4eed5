import type { ComponentChildren } from 'preact';
import { useEffect, useId } from 'preact/hooks';
import { Button } from './button.tsx';
import { useDismissible } from './use-dismissible.ts';

interface MenuProps {
  readonly label: string;
  readonly class?: string;
  /** Whether the menu starts open, with the focus on its button, after the page was rendered again. */
  readonly isReopened?: boolean;
  readonly children: (close: () => void) => ComponentChildren;
}

export function Menu({ label, isReopened = false, children, ...rest }: MenuProps) {
  const { root, isOpen, setOpen, close } = useDismissible(isReopened);
  const id = useId();
  useEffect(() => {
    if (isReopened) root.current?.querySelector('button')?.focus();
  }, []);
  return (
    <div class={`menu ${rest.class ?? ''}`} ref={root}>
      <Button
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {label} <span aria-hidden="true">▾</span>
      </Button>
      {isOpen && (
        <div id={id} class="dropdown">
          {children(close)}
        </div>
      )}
    </div>
  );
}
