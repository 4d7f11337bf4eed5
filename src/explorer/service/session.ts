import { useEffect, useState } from 'preact/hooks';
import { keptIn } from './kept.ts';

/** Kept by the browser for this tab, until it is closed. */
const kept = keptIn(() => sessionStorage, 'tenor-token');

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
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given === null) return;
  history.replaceState(history.state, '', location.pathname + location.search);
  if (isToken(given)) signIn(given);
  else signOut(`The link that you opened has no token that can be one. ${TOKEN_RULE}`);
}

/** Whether it can be a token at all: only such a text can be sent as one. */
export function isToken(text: string): boolean {
  return /^[!-~]+$/.test(text);
}

export const TOKEN_RULE = 'A token has no spaces, and only plain letters, digits and signs.';

/** Remembers the token, for this tab only. */
export function signIn(token: string): void {
  kept.set(token);
  why = undefined;
  tell();
}

/** Forgets the token; `reason` is told to the visitor. */
export function signOut(reason?: string): void {
  kept.set(undefined);
  why = reason;
  tell();
}

function current(): Session {
  return { token: kept.get(), why };
}

function tell(): void {
  for (const listener of listeners) listener();
}
