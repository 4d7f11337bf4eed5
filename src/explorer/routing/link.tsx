import type { ComponentChildren, TargetedMouseEvent } from 'preact';
import { navigate, type ParamChanges, urlFor, type View } from './view-route.ts';

interface LinkProps {
  readonly view: View;
  readonly params?: ParamChanges | undefined;
  readonly class?: string | undefined;
  readonly title?: string | undefined;
  readonly isCurrent?: boolean;
  readonly children: ComponentChildren;
}

/** A link to a view. It opens in a new tab, is copied and is shared like any other. */
export function Link({ view, params, isCurrent, children, ...rest }: LinkProps) {
  const href = urlFor(view, params);
  return (
    <a
      {...rest}
      href={href}
      aria-current={isCurrent ? 'page' : undefined}
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
