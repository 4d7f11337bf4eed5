import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { CopyableText } from '../components/copyable-text.tsx';
import { findSecrets } from '../embed/linked-data.ts';
import { buildFrame, buildLinkCommands, type EmbedSource } from './embed-code.ts';

/** Explains how to show a chart on another site: the links to create, and the frame. */
export function EmbedDialog({ source, onClose }: { source: EmbedSource; onClose: () => void }) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [printed, setPrinted] = useState('');
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const count = source.requests.length;
  const secrets = findSecrets(printed);
  const isComplete = secrets.length === count;
  const noun = count === 1 ? 'link' : `${count} links`;
  return (
    <dialog ref={dialog} class="embed-dialog" aria-labelledby={`${id}-title`} onClose={onClose}>
      <h2 id={`${id}-title`}>Show this chart on another page</h2>
      <p>
        A frame needs no token: it reads this chart, and nothing else, from a link that you can
        revoke. The operator of the service creates the {noun}:
      </p>
      <CopyableText label="Commands" text={buildLinkCommands(source)} />
      <label for={`${id}-printed`}>Output of the commands</label>
      <textarea
        id={`${id}-printed`}
        rows={3}
        autocomplete="off"
        spellcheck={false}
        placeholder="/links/tenor_link_…"
        value={printed}
        onInput={({ currentTarget }) => setPrinted(currentTarget.value)}
      />
      <p class="help" role="status">
        {printed !== '' && !isComplete && `This has ${secrets.length} of ${count} addresses.`}
      </p>
      <CopyableText
        label="The frame for your page"
        text={buildFrame(location.href, source, isComplete ? secrets : ['SECRET'])}
      />
      <Button onClick={() => dialog.current?.close()}>Close</Button>
    </dialog>
  );
}
