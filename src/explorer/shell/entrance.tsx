import { acceptDatetime } from '../../catalogue/accept-datetime.ts';
import { updateParams } from '../address/place.ts';
import { EmptyState, ErrorState, LoadingState } from '../parts/states.tsx';
import { signOut } from '../service/session.ts';
import type { QueryFailure } from '../service/use-answer.ts';

/** What there is to see until the service has answered for the first time. */
export function LoadingScreen({ failure }: { readonly failure: QueryFailure | undefined }) {
  return (
    <main class="whole">
      <h1 class="unseen">Tenor</h1>
      {failure ? <ErrorState failure={failure} /> : <LoadingState what="what there is" />}
      {failure && (
        <p class="way-out">
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
        That must be {acceptDatetime.rule}.{' '}
        <button type="button" onClick={() => updateParams({ asof: undefined })}>
          Back to now
        </button>
      </EmptyState>
    </>
  );
}
