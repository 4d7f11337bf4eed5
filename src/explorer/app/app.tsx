import { useSession } from '../api/session.ts';
import { Explorer } from './explorer.tsx';
import { SignInPage } from './sign-in-page.tsx';

/** The whole page. */
export function App() {
  const { token, signOutReason } = useSession();
  if (token === undefined) return <SignInPage key={signOutReason} why={signOutReason} />;
  return <Explorer key={token} token={token} />;
}
