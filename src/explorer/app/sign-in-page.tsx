import { useEffect, useRef, useState } from 'preact/hooks';
import { createApiClient } from '../api/api-client.ts';
import { isServiceDown, TOKEN_REJECTED_MESSAGE, toQueryFailure } from '../api/query-failure.ts';
import { isValidToken, signIn, TOKEN_REQUIREMENT } from '../api/session.ts';
import { focusViewWhenReady } from './use-focus-management.ts';
import { setViewTitle } from './view-titles.ts';

/** Asks for a token, and lets in whoever has one that the service accepts. */
export function SignInPage({ why }: { readonly why: string | undefined }) {
  const [refusal, setRefusal] = useState(why);
  const [isAsking, setAsking] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    setViewTitle('Sign in');
    field.current?.focus();
  }, []);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isAsking) return;
    setAsking(true);
    const given = (field.current?.value ?? '').trim().replace(/^Bearer\s+/i, '');
    const problem = await validateToken(given);
    setAsking(false);
    setRefusal(problem);
    if (problem !== undefined) return field.current?.select();
    focusViewWhenReady();
    signIn(given);
  };
  return (
    <main class="sign-in">
      <img src="docs/icon.svg" alt="" width="56" height="56" />
      <h1>Tenor</h1>
      <p>Yields, funds and payment statistics, with every correction.</p>
      <form onSubmit={submit}>
        <label for="token">Token</label>
        <input
          id="token"
          ref={field}
          type="password"
          autocomplete="off"
          spellcheck={false}
          aria-invalid={refusal !== undefined}
          aria-describedby="token-refusal token-help"
        />
        <p id="token-refusal" class="form-error" role="alert" hidden={refusal === undefined}>
          {refusal}
        </p>
        <button type="submit" class="primary" aria-disabled={isAsking}>
          {isAsking ? 'Asking…' : 'Sign in'}
        </button>
      </form>
      <p id="token-help" class="help">
        <code>npm start</code> prints a token, and a link that signs in by itself;{' '}
        <code>npx tenor token create --name NAME</code> makes more. It is kept in this tab until you
        close it, and sent to nobody but this service.
      </p>
      <p class="help">
        <a href="docs">API reference</a>
      </p>
    </main>
  );
}

/** Why that token cannot be used; undefined where the service accepts it. */
async function validateToken(token: string): Promise<string | undefined> {
  if (token === '') return 'Paste a token first.';
  if (!isValidToken(token)) return TOKEN_REQUIREMENT;
  try {
    await createApiClient(token, undefined).readUncached({ path: '/catalogue' });
    return undefined;
  } catch (cause) {
    const failure = toQueryFailure(cause);
    if (failure.kind === 'unauthorized') return TOKEN_REJECTED_MESSAGE;
    if (failure.kind === 'too_many_requests') return 'Asked too often. Try again in a moment.';
    if (isServiceDown(failure)) return 'The service does not answer. Try again in a moment.';
    return `The service says: ${failure.message}`;
  }
}
