import { useContext } from 'preact/hooks';
import { useExplorer } from '../api/explorer-context.ts';
import { focusView } from '../app/use-focus-management.ts';
import { Button } from '../components/button.tsx';
import { CopyableText } from '../components/copyable-text.tsx';
import { VerificationContext } from './use-verification.ts';
import type { ServiceVerification } from './verify-service.ts';

export function RevisionMark() {
  const { revision } = useExplorer();
  const verification = useContext(VerificationContext);
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

/** Warns about a log that contradicts the one that this browser has seen. */
export function AlarmNotice() {
  const verification = useContext(VerificationContext);
  if (!verification?.alarm) return null;
  const { title, message, consequence, label, proceed } = verification.alarm;
  const confirm = () => {
    // The clicked button disappears.
    focusView();
    proceed?.();
  };
  return (
    <div class="notice service-down">
      <p role="alert">
        <b>{title}</b> {message}
      </p>
      <details>
        <summary>What to do</summary>
        <p>{consequence}</p>
        <Copies {...verification} />
        <Button onClick={confirm}>{label}</Button>
      </details>
    </div>
  );
}

function Copies({ copies = {} }: Partial<ServiceVerification>) {
  return Object.entries(copies).map(([label, text]) => (
    <CopyableText key={label} label={label} text={text} />
  ));
}
