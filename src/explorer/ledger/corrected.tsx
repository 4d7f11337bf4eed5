import { useState } from 'preact/hooks';
import { Link } from '../address/link.tsx';
import { type Difference, differencesOf } from '../differences/differences.ts';
import { Changes } from '../differences/old-and-new.tsx';
import type { AnyRecord, Entry } from '../service/catalogue.ts';
import { subjectOf } from './subject.ts';

/** A record before and after. */
export interface Corrected {
  readonly old: AnyRecord;
  readonly new: AnyRecord;
}

/** More are drawn only where that is asked for. */
const FIRST_RECORDS = 60;
const FIRST_VALUES = 12;

interface CorrectedListProps {
  readonly entry: Entry;
  readonly changes: readonly Corrected[];
}

/** Corrected records, each with what changed in it. */
export function CorrectedList({ entry, changes }: CorrectedListProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? changes : changes.slice(0, FIRST_RECORDS);
  return (
    <>
      <ul class="corrected">
        {shown.map((change, place) => (
          <One key={place} entry={entry} change={change} />
        ))}
      </ul>
      {shown.length < changes.length && (
        <p class="more">
          The first {shown.length} of {changes.length} that are here.{' '}
          <button type="button" onClick={() => setWhole(true)}>
            Show all
          </button>
        </p>
      )}
    </>
  );
}

function One({ entry, change }: { readonly entry: Entry; readonly change: Corrected }) {
  const { words, view, at } = subjectOf(entry, change.new);
  const all = differencesOf(entry, change.old, change.new);
  const more = all.slice(FIRST_VALUES);
  return (
    <li>
      <h3>
        <Link to={view} at={at}>
          {words}
        </Link>
      </h3>
      {all.length === 0 && <p class="quiet">Nothing but the order of its entries changed.</p>}
      <Values all={all.slice(0, FIRST_VALUES)} />
      {more.length > 0 && (
        <details>
          <summary>{more.length} more of its values</summary>
          <Values all={more} />
        </details>
      )}
    </li>
  );
}

function Values({ all }: { readonly all: readonly Difference[] }) {
  const named = all.map(({ name, words, measure, old, new: later }) => {
    return { key: name, title: words, hint: name, measure, old, new: later };
  });
  return <Changes all={named} isExact />;
}
