import { useEffect, useState } from 'preact/hooks';

/** Kept by the browser for this tab, until it is closed. */
const KEY = 'tenor-token';

type Listener = () => void;
const listeners = new Set<Listener>();
let why: string | undefined;

/** Who looks: their token, or why there is none any more. */
export interface Session {
  readonly token: string | undefined;
  /** What is to be said to somebody who was signed out. */
  readonly why: string | undefined;
}

/** The session of this tab, kept up to date. */
export function useSession(): Session {
  const [session, set] = useState(current);
  useEffect(() => {
    const update = () => set(current());
    listeners.add(update);
    return () => void listeners.delete(update);
  }, []);
  return session;
}

/** Signs in with what stands behind `#token=` in the address, and takes it out of there. */
export function signInByAddress(): void {
  takeToken();
  // A link that is opened in a tab that shows the page already changes nothing but the fragment.
  addEventListener('hashchange', takeToken);
}

function takeToken(): void {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token === null) return;
  history.replaceState(history.state, '', location.pathname + location.search);
  if (token !== '') signIn(token);
}

/** Remembers the token, for this tab only. */
export function signIn(token: string): void {
  sessionStorage.setItem(KEY, token);
  why = undefined;
  tell();
}

/** Forgets the token; `reason` is told to the visitor. */
export function signOut(reason?: string): void {
  sessionStorage.removeItem(KEY);
  why = reason;
  tell();
}

function current(): Session {
  return { token: sessionStorage.getItem(KEY) ?? undefined, why };
}

function tell(): void {
  for (const listener of listeners) listener();
}
