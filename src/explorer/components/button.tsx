import type { ButtonHTMLAttributes } from 'preact';

/** A button that does not submit forms. */
export function Button(props: ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button type="button" {...props} />;
}
