import type { ComponentChildren, TargetedMouseEvent } from 'preact';
import { navigate, type ParamChanges, urlFor, type View } from './view-route.ts';

interface LinkProps {
  readonly to: View;
  readonly at?: ParamChanges | undefined;
  readonly class?: string | undefined;
  readonly title?: string | undefined;
  readonly current?: boolean;
  readonly children: ComponentChildren;
}

/** A link to a view. It opens in a new tab, is copied and is shared like any other. */
export function Link({ to, at, current, children, ...rest }: LinkProps) {
  const href = urlFor(to, at);
  return (
    <a
      {...rest}
      href={href}
      aria-current={current ? 'page' : undefined}
      onClick={createClickHandler(href)}
    >
      {children}
    </a>
  );
}

function createClickHandler(href: string) {
  return (event: TargetedMouseEvent<HTMLAnchorElement>) => {
    const { button, metaKey, ctrlKey, shiftKey, altKey } = event;
    if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
    event.preventDefault();
    navigate(href);
  };
}
