import { useState } from 'preact/hooks';
import { Link } from '../address/link.tsx';
import { Panel } from '../parts/panel.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import type { Question } from '../service/api.ts';
import type { Asked } from '../service/use-answer.ts';
import { Take } from '../take/take.tsx';
import type { Amendment } from './amendments.ts';
import { Changes } from './old-and-new.tsx';
import { Published } from './published.tsx';

interface CorrectionsProps {
  readonly title?: string;
  /** What a file of them is called. */
  readonly name?: string;
  readonly question: Question;
  readonly asked: Asked<unknown>;
  readonly amendments: readonly Amendment[];
  readonly choice?: Choice;
}

/** Where the view can read a period off. */
interface Choice {
  readonly chosen: string | undefined;
  readonly onChoose: (at: string) => void;
}

/** More are listed only where that is asked for. */
const FIRST_REVISIONS = 25;
const FIRST_PERIODS = 6;

/** What was published and is another now, newest first, with the revision that did it. */
export function Corrections(props: CorrectionsProps) {
  const { title = 'Corrections', name = 'corrections', question, asked, amendments } = props;
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? amendments : amendments.slice(0, FIRST_REVISIONS);
  return (
    <Panel
      title={title}
      tools={<Take question={question} name={name} title={title} isTable={false} />}
    >
      <Shown asked={asked} what="corrections">
        {() =>
          amendments.length === 0 ? (
            <Empty title="Nothing was corrected">
              Every figure stands as it was first published.
            </Empty>
          ) : (
            <>
              <ol class="amendments">
                {shown.map((amendment) => (
                  <li key={amendment.revision}>
                    <One amendment={amendment} choice={props.choice} />
                  </li>
                ))}
              </ol>
              {shown.length < amendments.length && (
                <button type="button" onClick={() => setWhole(true)}>
                  Show all {amendments.length}
                </button>
              )}
              {asked.meta?.next && (
                <p class="more">
                  These are the newest; <Link to="ledger">the ledger</Link> has all.
                </p>
              )}
            </>
          )
        }
      </Shown>
    </Panel>
  );
}

interface OneProps {
  readonly amendment: Amendment;
  readonly choice: Choice | undefined;
}

function One({ amendment, choice }: OneProps) {
  const { values, added, removed } = amendment;
  const periods = [...Map.groupBy(values, ({ at }) => at).values()];
  const more = periods.slice(FIRST_PERIODS);
  const listed = (those: typeof periods) =>
    those.map((each) => (
      <div key={each[0]?.at}>
        <Heading at={each[0]?.at ?? ''} period={each[0]?.period ?? ''} choice={choice} />
        <Changes all={each} />
      </div>
    ));
  return (
    <>
      <p>
        <Published {...amendment} />
      </p>
      {added.length > 0 && <p>Added: {several(added)}.</p>}
      {removed.length > 0 && <p>Retired: {several(removed)}.</p>}
      {values.length + added.length + removed.length === 0 && (
        <p>No figure changed, but something beside them.</p>
      )}
      {listed(periods.slice(0, FIRST_PERIODS))}
      {more.length > 0 && (
        <details>
          <summary>and {more.length} more</summary>
          {listed(more)}
        </details>
      )}
    </>
  );
}

interface HeadingProps extends Pick<OneProps, 'choice'> {
  readonly at: string;
  readonly period: string;
}

function Heading({ at, period, choice }: HeadingProps) {
  return (
    <h3>
      {choice ? (
        <button
          type="button"
          aria-pressed={choice.chosen === at}
          title="Read this day off in the charts"
          onClick={() => choice.onChoose(at)}
        >
          {period}
        </button>
      ) : (
        period
      )}
    </h3>
  );
}

/** The names, or some of them and how many more there are. */
function several(names: readonly string[]): string {
  if (names.length <= 4) return names.join(', ');
  return `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;
}
