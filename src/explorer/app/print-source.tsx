import { useExplorer } from '../api/explorer-context.ts';
import { describeSource } from '../export/describe-source.ts';
import { useViewRoute } from '../routing/view-route.tsx';

/** The first line of a printed page: where its figures come from, and how to see them again. */
export function PrintSource() {
  // Drawn again with each route, because the URL is part of it. What follows `#` may be a secret.
  useViewRoute();
  return (
    <p class="print-source">
      {describeSource(useExplorer())}
      <br />
      {location.origin + location.pathname + location.search}
    </p>
  );
}
