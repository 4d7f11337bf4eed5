import { render } from 'preact';
import { signInFromUrl, useSession } from './api/session.ts';
import { signInFromProvider } from './api/single-sign-on.ts';
import { offerTokenToOpenedTabs, requestToken } from './api/token-handover.ts';
import { Explorer } from './app/explorer.tsx';
import { applyLocale, applyTheme, useLocale } from './app/settings-menu.tsx';
import { SignInPage } from './app/sign-in-page.tsx';
import { startScrollRestoration } from './routing/scroll-positions.ts';

// Comes first, to remove the token from the URL.
signInFromUrl();
applyTheme();
applyLocale();
startScrollRestoration();
offerTokenToOpenedTabs();
await signInFromProvider();
await requestToken();

const page = document.getElementById('page');
if (page) {
  page.replaceChildren();
  render(<App />, page);
}

function App() {
  const { token, signOutReason } = useSession();
  const locale = useLocale();
  if (token === undefined) return <SignInPage key={signOutReason} reason={signOutReason} />;
  // A change of locale renders every number and date again.
  return <Explorer key={`${token} ${locale}`} token={token} />;
}
