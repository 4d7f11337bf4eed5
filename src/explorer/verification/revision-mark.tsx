import { useContext } from 'preact/hooks';
import { useExplorer } from '../api/explorer-context.ts';
import { Button } from '../components/button.tsx';
import { CopyableText } from '../components/copyable-text.tsx';
import { VerificationContext } from './use-verification.ts';
import type { Verification } from './verify-service.ts';

/** A revision, by default the one that is shown, and whether it was verified. */
export function RevisionMark(props: { readonly revision?: number }) {
  const { revision: shown } = useExplorer();
  const { revision = shown } = props;
  const { verification } = useContext(VerificationContext);
  if (revision === 0) return null;
  const status = verification && (revision > verification.size ? verification.reason : 'verified');
  return (
    <details class="revision-mark">
      <summary>
        Revision {revision}
        {status && `, ${status}`}
      </summary>
      <p class="description">{verification?.explanation}</p>
      <Copies {...verification} />
    </details>
  );
}

/** Warns of a log that contradicts the one that this browser has seen. */
export function AlarmNotice() {
  const { verification, proceed } = useContext(VerificationContext);
  if (!verification?.alarm) return null;
  const { title, message, consequence, label } = verification.alarm;
  return (
    <div class="notice service-down">
      <p role="alert">
        <b>{title}</b> {message}
      </p>
      <details>
        <summary>What to do</summary>
        <p class="description">{consequence}</p>
        <Copies {...verification} />
        <Button onClick={proceed}>{label}</Button>
      </details>
    </div>
  );
}

function Copies({ copies = {} }: Partial<Verification>) {
  return Object.entries(copies).map(([label, text]) => (
    <CopyableText key={label} label={label} text={text} />
  ));
}
