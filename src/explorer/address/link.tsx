import type { ComponentChildren, TargetedMouseEvent } from 'preact';
import { addressTo, type Changes, goTo, type View } from './place.ts';

interface LinkProps {
  readonly to: View;
  readonly at?: Changes | undefined;
  readonly class?: string | undefined;
  readonly title?: string | undefined;
  readonly current?: boolean;
  readonly children: ComponentChildren;
}

/** A link to a view. It opens in a new tab, is copied and is shared like any other. */
export function Link({ to, at, current, children, ...rest }: LinkProps) {
  const href = addressTo(to, at);
  return (
    <a {...rest} href={href} aria-current={current ? 'page' : undefined} onClick={within(href)}>
      {children}
    </a>
  );
}

function within(href: string) {
  return (event: TargetedMouseEvent<HTMLAnchorElement>) => {
    const { button, metaKey, ctrlKey, shiftKey, altKey } = event;
    if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
    event.preventDefault();
    goTo(href);
  };
}
