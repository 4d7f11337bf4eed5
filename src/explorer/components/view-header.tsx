import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Button } from './button.tsx';

interface ViewHeaderProps {
  readonly title: string;
  /** The most used control. */
  readonly children: ComponentChildren;
  /** All other controls of the view, revealed by a button. */
  readonly options?: ComponentChildren;
}

/** The bar of a view: its title, one control, and the others on request. */
export function ViewHeader({ title, children, options }: ViewHeaderProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <div class="view-header row">
      <h1>{title}</h1>
      {children}
      {options && (
        <Button
          class="options-button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          Options <span aria-hidden="true">{isOpen ? '▴' : '▾'}</span>
        </Button>
      )}
      {isOpen && (
        <section id={id} class="options row" aria-label="Options">
          {options}
        </section>
      )}
    </div>
  );
}
