import { go } from '../address/place.ts';
import { grouped } from '../figures/figures.ts';
import { Panel } from '../parts/panel.tsx';
import type { Entry } from '../service/catalogue.ts';
import { type Corrected, CorrectedList } from './corrected.tsx';
import { Records } from './records.tsx';
import { STEPS, type WholeRevision } from './whole-revision.ts';

interface ChangesOfProps {
  readonly revision: WholeRevision;
  readonly entry: Entry;
}

/** What a revision did to records: corrected, retired, added. */
export function ChangesOf({ revision, entry }: ChangesOfProps) {
  const { changes, corrected, retired, added } = revision;
  const corrections = changes.filter(isCorrected);
  const old = changes.flatMap(({ change, old: was }) => (change === 'retired' && was ? [was] : []));
  const recent = changes.flatMap(({ change, new: is }) => (change === 'added' && is ? [is] : []));
  const cut = (shown: number, all: number) => (
    <Cut shown={shown} all={all} asked={changes.length} name={entry.name} />
  );
  return (
    <>
      {corrected > 0 && (
        <Panel title="Corrected" lead="What changed in each record, and nothing else.">
          <CorrectedList entry={entry} changes={corrections} />
          {cut(corrections.length, corrected)}
        </Panel>
      )}
      {retired > 0 && (
        <Panel
          title="Retired"
          class="records"
          lead="Records that were taken out, as they last stood."
        >
          <Records entry={entry} records={old} caption="Retired records" />
          {cut(old.length, retired)}
        </Panel>
      )}
      {added > 0 && (
        <Panel title="Added" class="records" lead="Records that were not there before.">
          <Records entry={entry} records={recent} caption="Added records" />
          {cut(recent.length, added)}
        </Panel>
      )}
    </>
  );
}

type Change = WholeRevision['changes'][number];

function isCorrected(change: Change): change is Change & Corrected {
  return change.change === 'corrected' && change.old !== null && change.new !== null;
}

interface CutProps {
  readonly shown: number;
  readonly all: number;
  /** How many changes of all kinds were answered with. */
  readonly asked: number;
  readonly name: string;
}

/** Says what is left out, and how to see it. */
function Cut({ shown, all, asked, name }: CutProps) {
  if (shown >= all) return null;
  const more = STEPS.find((step) => step > asked);
  return (
    <p class="more">
      The first {grouped(shown, 0)} of {grouped(all, 0)}.{' '}
      {more === undefined ? (
        <>
          The service tells no more of one revision; the whole dataset is at{' '}
          <code>/exports/{name}.csv</code>.
        </>
      ) : (
        <button type="button" onClick={() => go({ most: String(more) })}>
          Show up to {grouped(more, 0)}
        </button>
      )}
    </p>
  );
}
