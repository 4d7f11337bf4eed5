import { useEffect, useState } from 'preact/hooks';
import { StoredItem } from './stored-item.ts';

/** In the browser's session storage, until the tab is closed. */
const storedToken = new StoredItem(() => sessionStorage, 'tenor-token');

/** The views that the token has access to, once known. */
export const storedViews = new StoredItem(() => sessionStorage, 'tenor-views');

const sessionListeners = new Set<() => void>();
/** Shown on the sign-in page. */
let signOutReason: string | undefined;

/** The session of this tab, kept up to date. */
export function useSession() {
  const [session, setSession] = useState(getSession);
  useEffect(() => {
    const update = () => setSession(getSession());
    sessionListeners.add(update);
    return () => void sessionListeners.delete(update);
  }, []);
  return session;
}

/** Signs in with the token in the fragment of the URL (`#token=`) and removes it from the URL. */
export function signInFromUrl(): void {
  consumeUrlToken();
  // A link opened in a tab that already shows the page only changes the fragment.
  addEventListener('hashchange', consumeUrlToken);
}

function consumeUrlToken(): void {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token === null) return;
  history.replaceState(history.state, '', location.pathname + location.search);
  if (isValidToken(token)) signIn(token);
  else signOut(`The link you opened contains no valid token. ${TOKEN_REQUIREMENT}`);
}

export function isValidToken(text: string): boolean {
  return /^[!-~]+$/.test(text);
}

export const TOKEN_REQUIREMENT = 'A token has no spaces, only ASCII letters, digits and signs.';

export function signIn(token: string): void {
  setToken(token, undefined);
}

export function signOut(reason?: string): void {
  setToken(undefined, reason);
}

function setToken(token: string | undefined, reason: string | undefined): void {
  storedToken.set(token);
  storedViews.set(undefined);
  signOutReason = reason;
  for (const listener of sessionListeners) listener();
}

function getSession() {
  return { token: getToken(), signOutReason };
}

export function getToken(): string | undefined {
  return storedToken.get();
}
