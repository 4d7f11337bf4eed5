import { useSession } from '../api/session.ts';
import { Explorer } from './explorer.tsx';
import { SignInPage } from './sign-in-page.tsx';

/** The whole page. */
export function App() {
  const { token, why } = useSession();
  if (token === undefined) return <SignInPage key={why} why={why} />;
  return <Explorer key={token} token={token} />;
}
