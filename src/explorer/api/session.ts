import { useEffect, useState } from 'preact/hooks';
import { createStoredItem } from './browser-storage.ts';

/** Kept by the browser for this tab, until it is closed. */
const storedToken = createStoredItem(() => sessionStorage, 'tenor-token');

type Listener = () => void;
const sessionListeners = new Set<Listener>();
let signOutReason: string | undefined;

/** Who looks: their token, or why there is none any more. */
export interface Session {
  readonly token: string | undefined;
  /** What is to be said to somebody who was signed out. */
  readonly signOutReason: string | undefined;
}

/** The session of this tab, kept up to date. */
export function useSession(): Session {
  const [session, set] = useState(getSession);
  useEffect(() => {
    const update = () => set(getSession());
    sessionListeners.add(update);
    return () => void sessionListeners.delete(update);
  }, []);
  return session;
}

/** Signs in with what stands behind `#token=` in the address, and takes it out of there. */
export function signInFromUrl(): void {
  consumeUrlToken();
  // A link that is opened in a tab that shows the page already changes nothing but the fragment.
  addEventListener('hashchange', consumeUrlToken);
}

function consumeUrlToken(): void {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given === null) return;
  history.replaceState(history.state, '', location.pathname + location.search);
  if (isValidToken(given)) signIn(given);
  else signOut(`The link that you opened has no token that can be one. ${TOKEN_REQUIREMENT}`);
}

/** Whether it can be a token at all: only such a text can be sent as one. */
export function isValidToken(text: string): boolean {
  return /^[!-~]+$/.test(text);
}

export const TOKEN_REQUIREMENT = 'A token has no spaces, and only plain letters, digits and signs.';

/** Remembers the token, for this tab only. */
export function signIn(token: string): void {
  storedToken.set(token);
  signOutReason = undefined;
  notifyListeners();
}

/** Forgets the token; `reason` is told to the visitor. */
export function signOut(reason?: string): void {
  storedToken.set(undefined);
  signOutReason = reason;
  notifyListeners();
}

function getSession(): Session {
  return { token: storedToken.get(), signOutReason: signOutReason };
}

function notifyListeners(): void {
  for (const listener of sessionListeners) listener();
}
