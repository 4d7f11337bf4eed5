import { useId } from 'preact/hooks';
import { useDismissible } from './use-dismissible.ts';

interface MenuProps {
  readonly title: string;
  /** What it is about, where that is to be said. */
  readonly heading?: string | undefined;
  readonly items: readonly { readonly text: string; readonly run: () => void }[];
}

/** A button that opens a short list of things to do. */
export function Menu({ title, heading, items }: MenuProps) {
  const { root, isOpen, setOpen } = useDismissible<HTMLDivElement>();
  const list = useId();
  const choose = (run: () => void) => {
    setOpen(false);
    root.current?.querySelector('button')?.focus();
    run();
  };
  return (
    <div class="menu" ref={root}>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={list}
        onClick={() => setOpen(!isOpen)}
      >
        {title} <span aria-hidden="true">▾</span>
      </button>
      <ul id={list} class="dropdown" hidden={!isOpen}>
        {heading && <li class="menu-hint">{heading}</li>}
        {items.map(({ text, run }) => (
          <li key={text}>
            <button type="button" onClick={() => choose(run)}>
              {text}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
