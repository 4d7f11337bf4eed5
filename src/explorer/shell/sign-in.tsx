import { useState } from 'preact/hooks';
import { apiWith } from '../service/api.ts';
import { signIn } from '../service/session.ts';
import { failureOf, isAway, REFUSED } from '../service/use-answer.ts';

/** Asks for a token, and lets in whoever has one that the service accepts. */
export function SignIn({ why }: { readonly why: string | undefined }) {
  const [token, setToken] = useState('');
  const [isAsking, setAsking] = useState(false);
  const [refusal, setRefusal] = useState(why);
  const submit = async (event: Event) => {
    event.preventDefault();
    const given = token.trim().replace(/^Bearer\s+/i, '');
    if (!/^[!-~]+$/.test(given)) {
      setRefusal(
        given === ''
          ? 'Paste a token first.'
          : 'A token has no spaces and only plain letters, digits and signs.',
      );
      return;
    }
    setAsking(true);
    const problem = await problemWith(given);
    setAsking(false);
    if (problem === undefined) signIn(given);
    else setRefusal(problem);
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
          type="password"
          autocomplete="off"
          spellcheck={false}
          value={token}
          aria-invalid={refusal !== undefined}
          aria-describedby="token-help"
          onInput={(event) => setToken(event.currentTarget.value)}
        />
        {refusal !== undefined && (
          <p class="refusal" role="alert">
            {refusal}
          </p>
        )}
        <button type="submit" class="primary" disabled={isAsking}>
          {isAsking ? 'Asking…' : 'Sign in'}
        </button>
      </form>
      <p id="token-help" class="help">
        <code>npm start</code> prints a token, and a link that signs in by itself;{' '}
        <code>npx tenor token create</code> makes more. It is kept in this tab until you close it,
        and sent to nobody but this service.
      </p>
      <p class="help">
        <a href="docs">API reference</a>
      </p>
    </main>
  );
}

async function problemWith(token: string): Promise<string | undefined> {
  try {
    await apiWith(token, undefined).fresh({ path: '/catalogue' });
    return undefined;
  } catch (cause) {
    const failure = failureOf(cause);
    if (failure.kind === 'unauthorized') return REFUSED;
    return isAway(failure)
      ? 'The service does not answer. Try again in a moment.'
      : failure.message;
  }
}
