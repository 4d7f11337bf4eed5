import { acceptDatetime } from '../../catalogue/model/accept-datetime.ts';
import type { QueryFailure } from '../api/query-failure.ts';
import { signOut } from '../api/session.ts';
import { EmptyState, ErrorState, LoadingState } from '../components/query-view.tsx';
import { updateParams } from '../routing/view-route.ts';

/** Shown until the first response of the service arrives. */
export function LoadingScreen({ failure }: { readonly failure: QueryFailure | undefined }) {
  return (
    <main>
      <h1 class="visually-hidden">Tenor</h1>
      {failure ? <ErrorState failure={failure} /> : <LoadingState subject="the catalogue" />}
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

export function InvalidInstant({ text }: { readonly text: string }) {
  return (
    <>
      <h1>Invalid date and time</h1>
      <EmptyState title={`The URL asks for data as of “${text}”`}>
        That must be {acceptDatetime.requirement}.{' '}
        <button type="button" onClick={() => updateParams({ asof: undefined })}>
          Back to current data
        </button>
      </EmptyState>
    </>
  );
}
