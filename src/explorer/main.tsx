import { render } from 'preact';
import { signInFromUrl } from './api/session.ts';
import { App } from './app/app.tsx';
import { applyTheme } from './app/theme.ts';

// Before anything else: the token is to be out of the address as soon as the page can do that.
signInFromUrl();
applyTheme();

const page = document.getElementById('page');
if (page) {
  page.replaceChildren();
  render(<App />, page);
}
