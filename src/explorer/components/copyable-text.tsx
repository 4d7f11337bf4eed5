import { useState } from 'preact/hooks';
import { Button } from './button.tsx';

export function CopyableText({ label, text }: { readonly label: string; readonly text: string }) {
  const [status, setStatus] = useState('');
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setStatus('Copied'),
      () => setStatus('The browser does not allow it'),
    );
  return (
    <figure>
      <figcaption class="title-row">
        {label}
        <span class="toolbar">
          <span class="status-message" role="status">
            {status}
          </span>
          <Button aria-label={`Copy: ${label}`} onClick={copy}>
            Copy
          </Button>
        </span>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
      <pre tabIndex={0}>{text}</pre>
    </figure>
  );
}
