import { useMemo } from 'preact/hooks';
import { slide, usePlace } from '../address/place.ts';
import { dayWords } from '../figures/days.ts';
import { Empty, Shown } from '../parts/states.tsx';
import { useEntry } from '../service/service.ts';
import { Against } from './against.tsx';
import { dayAgainst, wantedIn } from './choices.ts';
import { DayShown } from './day-shown.tsx';
import { Scrubber } from './scrubber.tsx';
import { type Day, useDay } from './use-day.ts';

/** The market of a day: its curve and its quotes, beside those of another day. */
export function Market() {
  const entry = useEntry('quotes');
  const { first, last } = entry.coverage;
  const { at } = usePlace();
  const wanted = useMemo(() => wantedIn(at), [at]);
  const asked = useDay(entry.path, wanted.date);
  const day = asked.data?.date;
  const against = day === undefined ? undefined : dayAgainst(day, wanted.against);
  const before = useDay(entry.path, against, against !== undefined);
  if (first === null || last === null) return <NothingYet />;
  return (
    <>
      <div class="view-head">
        <h1>Market{day && `, ${dayWords(day)}`}</h1>
        {asked.data && <WhichDay shown={asked.data} named={at.date} />}
      </div>
      <div class="time-bar">
        <Scrubber
          first={first}
          last={last}
          asked={wanted.date}
          isAwaited={asked.isLoading}
          onDay={(date) => slide({ date })}
        />
        <Against against={wanted.against} first={first} last={last} />
      </div>
      <Shown asked={asked} what="the market">
        {(shown) => <DayShown {...{ entry, wanted, shown, against, before, first }} />}
      </Shown>
    </>
  );
}

interface WhichDayProps {
  readonly shown: Day;
  /** What the address calls the day. */
  readonly named: string | undefined;
}

/** Says which day it is, where that is not the one that the address names. */
function WhichDay({ shown: { asked, date }, named }: WhichDayProps) {
  if (date === undefined || asked === date) return null;
  const isStrange = asked === undefined && named !== undefined;
  return (
    <p class="quiet">
      {asked !== undefined &&
        `There are no quotes of ${dayWords(asked)}: these are the last before it.`}
      {isStrange && `“${named}” is no day such as 2026-06-30: `}
      {asked === undefined && 'the newest day'}
    </p>
  );
}

function NothingYet() {
  return (
    <>
      <h1>Market</h1>
      <Empty title="No quotes yet">
        Nothing was published up to here. <code>npx tenor load quotes FILE</code> loads a file of
        quotes; or look at a later instant.
      </Empty>
    </>
  );
}
