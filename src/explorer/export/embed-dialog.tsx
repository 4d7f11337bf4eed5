import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ApiClient } from '../api/api-client.ts';
import { useExplorer } from '../api/explorer-context.ts';
import { Button } from '../components/button.tsx';
import { CopyableText } from '../components/copyable-text.tsx';
import { findSecrets } from '../embed/read-links.ts';
import { formatDayLabel } from '../formatting/dates.ts';
import {
  buildFrame,
  buildLinkCommands,
  type EmbedSource,
  LINK_LIFETIME,
  listTargets,
} from './embed-code.ts';

/** Explains how to show a chart on another site: the links to create, and the frame. */
export function EmbedDialog({ source, onClose }: { source: EmbedSource; onClose: () => void }) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [printed, setPrinted] = useState('');
  const signed = useSignedLinks(source);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const count = source.requests.length;
  const secrets = findSecrets(signed?.text ?? printed);
  const isComplete = secrets.length === count;
  const noun = count === 1 ? 'link' : `${count} links`;
  return (
    <dialog ref={dialog} class="embed-dialog" aria-labelledby={`${id}-title`} onClose={onClose}>
      <h2 id={`${id}-title`}>Show this chart on another page</h2>
      {signed?.expires ? (
        <p>
          A frame needs no token: it reads this chart, and nothing else, from links that your token
          has signed. They end on {formatDayLabel(signed.expires.slice(0, 10))}, or with the token,
          and draw on its rate; they cannot be revoked alone.
        </p>
      ) : (
        <>
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
        </>
      )}
      <CopyableText
        label="The frame for your page"
        text={buildFrame(location.href, source, isComplete ? secrets : ['SECRET'])}
      />
      <Button onClick={() => dialog.current?.close()}>Close</Button>
    </dialog>
  );
}

/** Links that the token of this page signs, if it may share. */
function useSignedLinks(source: EmbedSource) {
  const { api } = useExplorer();
  const [signed, setSigned] = useState<Awaited<ReturnType<typeof signLinks>>>();
  useEffect(() => {
    // Without that right, the operator creates links.
    signLinks(api, source).then(setSigned, () => {});
  }, []);
  return signed;
}

async function signLinks(api: ApiClient, source: EmbedSource) {
  const links = await Promise.all(
    listTargets(source).map(async (target) => {
      const parameters = { target, expires: LINK_LIFETIME };
      return (await api.readUncached<SignedLink>({ path: '/links/sign', parameters })).data;
    }),
  );
  return { text: links.map(({ address }) => address).join('\n'), expires: links[0]?.expires };
}

interface SignedLink {
  readonly address: string;
  readonly expires: string;
}
