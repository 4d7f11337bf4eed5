import { render } from 'preact';
import { signInFromUrl, useSession } from './api/session.ts';
import { offerTokenToOpenedTabs, requestToken } from './api/token-handover.ts';
import { applyTheme } from './app/app-header.tsx';
import { Explorer } from './app/explorer.tsx';
import { SignInPage } from './app/sign-in-page.tsx';
import { startScrollRestoration } from './routing/scroll-positions.ts';

// First of all: removes the token from the URL.
signInFromUrl();
applyTheme();
startScrollRestoration();
offerTokenToOpenedTabs();
await requestToken();

const page = document.getElementById('page');
if (page) {
  page.replaceChildren();
  render(<App />, page);
}

function App() {
  const { token, signOutReason } = useSession();
  if (token === undefined) return <SignInPage key={signOutReason} reason={signOutReason} />;
  return <Explorer key={token} token={token} />;
}
