import { useState } from 'preact/hooks';

/** Copies a text, and says whether that succeeded. */
export function useCopyStatus(text: string) {
  const [status, setStatus] = useState('');
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setStatus('Copied'),
      () => setStatus('The browser does not allow it'),
    );
  return { status, copy };
}
