import type { ButtonHTMLAttributes } from 'preact';

/** A button that submits no form. */
export function Button(props: ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button type="button" {...props} />;
}
