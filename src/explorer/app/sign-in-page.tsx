import { useEffect, useRef, useState } from 'preact/hooks';
import type { SignIn } from '../../shared/sign-in.ts';
import { ApiClient } from '../api/api-client.ts';
import { BROWSER_TAB } from '../api/browser-tab.ts';
import {
  describeFailure,
  isTransient,
  TOKEN_REJECTED_MESSAGE,
  toQueryFailure,
} from '../api/query-failure.ts';
import { isValidToken, signIn, TOKEN_REQUIREMENT } from '../api/session.ts';
import { fetchSignIn, leaveForProvider } from '../api/single-sign-on.ts';
import { Button } from '../components/button.tsx';
import { setViewTitle } from '../components/use-page-title.ts';
import { focusViewWhenReady } from './use-focus-management.ts';

/** `reason` says why the visitor was signed out. */
export function SignInPage({ reason }: { readonly reason: string | undefined }) {
  const { input, problem, isChecking, submit } = useSignInForm(reason);
  const provider = useProvider();
  return (
    <main class="sign-in">
      <img src="docs/icon.svg" alt="" width="56" height="56" />
      <h1>Tenor</h1>
      <p>Yields, funds and payment statistics, with every correction.</p>
      {provider && (
        <p>
          <Button class="primary" onClick={() => leaveForProvider(provider)}>
            Sign in with {new URL(provider.issuer).host}
          </Button>
        </p>
      )}
      <form onSubmit={submit}>
        <label for="token">Token</label>
        <input
          id="token"
          ref={input}
          type="password"
          autocomplete="off"
          spellcheck={false}
          aria-invalid={problem !== undefined}
          aria-describedby="token-problem token-help"
        />
        <p id="token-problem" class="form-error" role="alert" hidden={problem === undefined}>
          {problem}
        </p>
        <button type="submit" class="primary" aria-disabled={isChecking}>
          {isChecking ? 'Signing in…' : 'Sign in'}
        </button>
      </form>
      <p id="token-help" class="help">
        <code>npm start</code> prints a token and a link that signs in directly;{' '}
        <code>npx tenor token create --name NAME</code> creates more. The token stays in this tab,
        and tabs that you open from it, until you close them, and is sent only to this service.
      </p>
      <p class="help">
        <a href="docs">API reference</a>
      </p>
    </main>
  );
}

function useProvider(): SignIn | undefined {
  const [provider, setProvider] = useState<SignIn>();
  useEffect(() => {
    fetchSignIn().then(setProvider);
  }, []);
  return provider;
}

function useSignInForm(reason: string | undefined) {
  const [problem, setProblem] = useState(reason);
  const [isChecking, setChecking] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    setViewTitle('Sign in');
    input.current?.focus();
  }, []);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isChecking) return;
    setChecking(true);
    const token = (input.current?.value ?? '').trim().replace(/^Bearer\s+/i, '');
    const tokenProblem = await validateToken(token);
    setChecking(false);
    setProblem(tokenProblem);
    if (tokenProblem !== undefined) return input.current?.select();
    focusViewWhenReady();
    signIn(token);
  };
  return { input, problem, isChecking, submit };
}

/** Why the token cannot be used; undefined if the service accepts it. */
async function validateToken(token: string): Promise<string | undefined> {
  if (token === '') return 'Paste a token first.';
  if (!isValidToken(token)) return TOKEN_REQUIREMENT;
  try {
    await new ApiClient(BROWSER_TAB, token, undefined).readUncached({ path: '/catalogue' });
    return undefined;
  } catch (cause) {
    const failure = toQueryFailure(cause);
    if (failure.kind === 'unauthorized') return TOKEN_REJECTED_MESSAGE;
    const message = describeFailure(failure);
    return isTransient(failure) ? `${message} Try again in a moment.` : message;
  }
}
