import { acceptDatetime } from '../../catalogue/model/accept-datetime.ts';
import type { QueryFailure } from '../api/query-failure.ts';
import { signOut } from '../api/session.ts';
import { EmptyState, ErrorState, LoadingState } from '../components/query-view.tsx';
import { updateParams } from '../routing/view-route.ts';

/** What there is to see until the service has answered for the first time. */
export function LoadingScreen({ failure }: { readonly failure: QueryFailure | undefined }) {
  return (
    <main>
      <h1 class="visually-hidden">Tenor</h1>
      {failure ? <ErrorState failure={failure} /> : <LoadingState what="what there is" />}
      {failure && (
        <p class="sign-out">
          <button type="button" onClick={() => signOut()}>
            Sign out
          </button>
        </p>
      )}
    </main>
  );
}

/** Says that what the address has for an instant is none. */
export function InvalidInstant({ text }: { readonly text: string }) {
  return (
    <>
      <h1>No such instant</h1>
      <EmptyState title={`The address asks for everything as of “${text}”`}>
        That must be {acceptDatetime.requirement}.{' '}
        <button type="button" onClick={() => updateParams({ asof: undefined })}>
          Back to now
        </button>
      </EmptyState>
    </>
  );
}
