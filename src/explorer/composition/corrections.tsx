import { Link } from '../address/link.tsx';
import { instantWords } from '../figures/days.ts';
import { figure, NONE } from '../figures/figures.ts';
import { Panel } from '../parts/panel.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import type { Question } from '../service/api.ts';
import type { Correction } from '../service/catalogue.ts';
import type { Asked } from '../service/use-answer.ts';
import { Take } from '../take/take.tsx';
import { type Amended, type Amendment, byRevision } from './amendments.ts';

/** Most corrections that a view asks for. */
export const MOST_CORRECTIONS = 200;

interface CorrectionsProps<T> {
  readonly title?: string;
  readonly question: Question;
  readonly asked: Asked<readonly Correction<T>[]>;
  readonly amendments: readonly Amendment[];
}

/** What was published and is another now: old and new figures, with the revision that did it. */
export function Corrections<T>({ title, question, asked, amendments }: CorrectionsProps<T>) {
  const words = title ?? 'Corrections';
  return (
    <Panel
      title={words}
      tools={<Take question={question} name="corrections" title={words} isTable={false} />}
    >
      <Shown asked={asked} what="corrections">
        {() =>
          amendments.length === 0 ? (
            <Empty title="Nothing was corrected">
              Every figure stands as it was first published.
            </Empty>
          ) : (
            <ul class="amendments">
              {byRevision(amendments).map((amendment) => (
                <li key={amendment.revision}>
                  <One {...amendment} />
                </li>
              ))}
              {asked.meta?.next && (
                <li>
                  These are the newest {amendments.length} corrections;{' '}
                  <Link to="ledger">the ledger</Link> has all.
                </li>
              )}
            </ul>
          )
        }
      </Shown>
    </Panel>
  );
}

const MOST_FIGURES = 12;

function One({ revision, publishedAt, figures, added, removed }: Amendment) {
  const isSilent = figures.length + added.length + removed.length === 0;
  return (
    <>
      <p>
        <Link to="ledger" at={{ revision: String(revision) }}>
          Revision {revision}
        </Link>{' '}
        <span class="quiet">{instantWords(publishedAt)}</span>
      </p>
      {added.length > 0 && <p>Added: {several(added)}.</p>}
      {removed.length > 0 && <p>Retired: {several(removed)}.</p>}
      {isSilent && <p>No figure changed, but something beside them.</p>}
      {[...Map.groupBy(figures.slice(0, MOST_FIGURES), ({ period }) => period)].map(
        ([period, those]) => (
          <dl key={period}>
            <dt>{period}</dt>
            {those.map((amended) => (
              <dd key={amended.key}>
                <Changed {...amended} />
              </dd>
            ))}
          </dl>
        ),
      )}
      {figures.length > MOST_FIGURES && <p>… and {figures.length - MOST_FIGURES} more figures.</p>}
    </>
  );
}

function Changed({ title, measure, old, new: now }: Amended) {
  return (
    <>
      <span>{title}</span>
      <span>
        {old === undefined ? NONE : <del>{figure(old, measure)}</del>}{' '}
        <span aria-hidden="true">→</span>
        <span class="unseen">is now</span> <b>{figure(now, measure)}</b>
      </span>
    </>
  );
}

/** The names, or how many and the ends where they are many; they come newest first. */
function several(names: readonly string[]): string {
  if (names.length <= 4) return names.join(', ');
  return `${names.length} periods, ${names.at(-1)} to ${names[0]}`;
}
