import { useId } from 'preact/hooks';
import { useDismissible } from './use-dismissible.ts';

interface MenuProps {
  readonly title: string;
  readonly heading?: string | undefined;
  readonly items: readonly { readonly text: string; readonly run: () => void }[];
}

/** A button that opens a list of actions. */
export function Menu({ title, heading, items }: MenuProps) {
  const { root, isOpen, setOpen, close } = useDismissible();
  const listId = useId();
  return (
    <div class="menu" ref={root}>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={listId}
        onClick={() => setOpen(!isOpen)}
      >
        {title} <span aria-hidden="true">▾</span>
      </button>
      <ul id={listId} class="dropdown" hidden={!isOpen}>
        {heading && <li class="menu-hint">{heading}</li>}
        {items.map(({ text, run }) => (
          <li key={text}>
            <button
              type="button"
              onClick={() => {
                close();
                run();
              }}
            >
              {text}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
