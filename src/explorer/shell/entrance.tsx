import { acceptDatetime } from '../../catalogue/accept-datetime.ts';
import { go } from '../address/place.ts';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { signOut } from '../service/session.ts';
import type { Failure } from '../service/use-answer.ts';

/** What there is to see until the service has answered for the first time. */
export function Entrance({ failure }: { readonly failure: Failure | undefined }) {
  return (
    <main class="whole">
      <h1 class="unseen">Tenor</h1>
      {failure ? <Failed failure={failure} /> : <Loading what="what there is" />}
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
export function NoInstant({ text }: { readonly text: string }) {
  return (
    <>
      <h1>No such instant</h1>
      <Empty title={`The address asks for everything as of “${text}”`}>
        That must be {acceptDatetime.rule}.{' '}
        <button type="button" onClick={() => go({ asof: undefined })}>
          Back to now
        </button>
      </Empty>
    </>
  );
}
