import { useEffect } from 'preact/hooks';
import { acceptDatetime } from '../../catalogue/accept-datetime.ts';
import { usePlace } from '../address/place.ts';
import { Failed } from '../parts/states.tsx';
import { ServiceContext } from '../service/service.ts';
import { useService } from '../service/use-service.ts';
import { Entrance, NoInstant } from './entrance.tsx';
import { useFocusKept } from './focus.ts';
import { Header } from './header.tsx';
import { Notices } from './notices.tsx';
import { TITLES, titled } from './titles.ts';
import { OpenView } from './view.tsx';

/** What somebody sees who is signed in. */
export function Explorer({ token }: { readonly token: string }) {
  const place = usePlace();
  const { view, at } = place;
  const isInstant = at.asof === undefined || acceptDatetime.read(at.asof) !== undefined;
  const { service, isCurrent, failure } = useService(token, isInstant ? at.asof : undefined);
  const isBusy = !isCurrent && !failure;
  useFocusKept(place, service !== undefined);
  useEffect(() => titled(TITLES[view]), [view]);
  if (!service) return <Entrance failure={failure} />;
  return (
    <ServiceContext.Provider value={service}>
      <button type="button" class="skip" onClick={toContent}>
        To the content
      </button>
      <Header view={view} />
      <Notices failure={isCurrent ? failure : undefined} />
      <main
        id="view"
        tabIndex={-1}
        aria-label={TITLES[view]}
        aria-busy={isBusy}
        class={isBusy ? 'busy' : undefined}
      >
        {!isInstant ? (
          <NoInstant text={at.asof ?? ''} />
        ) : !isCurrent && failure ? (
          <Failed failure={failure} />
        ) : (
          <OpenView place={place} />
        )}
      </main>
    </ServiceContext.Provider>
  );
}

/** For those who go by keys: past the head, without a step in the browser's history. */
function toContent(): void {
  document.getElementById('view')?.focus();
}
