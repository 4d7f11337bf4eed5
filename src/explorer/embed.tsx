import { render } from 'preact';
import { EmbedPage } from './embed/embed-page.tsx';
import { keepUrl } from './routing/view-route.tsx';

// A chart for a frame on another site. It never reads the token of the explorer: its data comes from links
// whose secrets are in the fragment of its URL.
keepUrl();
addEventListener('hashchange', () => location.reload());

const page = document.getElementById('page');
if (page) {
  page.replaceChildren();
  render(<EmbedPage />, page);
}
