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

/** A link to a view, without loading the page again. */
export function Link({ view, params, isCurrent, children, ...attributes }: LinkProps) {
  const href = urlFor(view, params);
  const onClick = (event: TargetedMouseEvent<HTMLAnchorElement>) => {
    const { button, metaKey, ctrlKey, shiftKey, altKey } = event;
    if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
    event.preventDefault();
    navigate(href);
  };
  return (
    <a {...attributes} href={href} aria-current={isCurrent ? 'page' : undefined} onClick={onClick}>
      {children}
    </a>
  );
}
