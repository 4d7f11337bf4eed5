import { useContext, useMemo } from 'preact/hooks';
import { usePlace } from '../address/place.ts';
import { dayWords } from '../figures/days.ts';
import { Empty, Shown } from '../parts/states.tsx';
import type { Entry } from '../service/catalogue.ts';
import { ServiceContext } from '../service/service.ts';
import { dayAgainst, wantedIn } from './choices.ts';
import { DayShown } from './day-shown.tsx';
import { useDay } from './use-day.ts';

/** The market of a day: its curve and its quotes, beside those of another day. */
export function Market() {
  const { catalogue } = useContext(ServiceContext);
  const entry = catalogue.find(({ shape }) => shape === 'quotes');
  if (!entry) {
    return (
      <Empty title="No quotes">This token does not open quotes. Sign in with one that does.</Empty>
    );
  }
  return <MarketOf entry={entry} />;
}

function MarketOf({ entry }: { readonly entry: Entry }) {
  const { at } = usePlace();
  const wanted = useMemo(() => wantedIn(at), [at]);
  const asked = useDay(entry.path, wanted.date);
  const day = asked.data?.date;
  const against = day === undefined ? undefined : dayAgainst(day, wanted.against);
  const before = useDay(entry.path, against, against !== undefined);
  return (
    <>
      <div class="view-head">
        <h1>Market{day && `, ${dayWords(day)}`}</h1>
        {wanted.date !== undefined && day !== undefined && day !== wanted.date && (
          <p class="quiet">
            There are no quotes of {dayWords(wanted.date)}: these are the last before it.
          </p>
        )}
      </div>
      <Shown asked={asked} what="the market">
        {(data) => (
          <DayShown
            entry={entry}
            wanted={wanted}
            shown={data}
            before={against === undefined ? undefined : before.data}
          />
        )}
      </Shown>
    </>
  );
}
