import { useState } from 'preact/hooks';
import type { ApiRequest } from '../api/types.ts';
import type { QueryResult } from '../api/use-query.ts';
import { Panel } from '../components/panel.tsx';
import { EmptyState, QueryView } from '../components/query-view.tsx';
import { ExportMenu } from '../export/export-menu.tsx';
import { Link } from '../routing/link.tsx';
import type { RevisionCorrections } from './revision-corrections.ts';
import { RevisionLink } from './revision-link.tsx';
import { ValueChangeList } from './value-change.tsx';

interface CorrectionsPanelProps {
  readonly title?: string;
  /** What a file of them is called. */
  readonly name?: string;
  readonly question: ApiRequest;
  readonly asked: QueryResult<unknown>;
  readonly amendments: readonly RevisionCorrections[];
  readonly choice?: PeriodSelection;
}

/** Where the view can read a period off. */
interface PeriodSelection {
  readonly chosen: string | undefined;
  readonly onChoose: (at: string) => void;
}

/** More are listed only where that is asked for. */
const INITIAL_REVISIONS = 25;
const INITIAL_PERIODS = 6;

/** What was published and is another now, newest first, with the revision that did it. */
export function CorrectionsPanel(props: CorrectionsPanelProps) {
  const {
    title = 'Corrections',
    name = 'corrections',
    question: request,
    asked: query,
    amendments: corrections,
  } = props;
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? corrections : corrections.slice(0, INITIAL_REVISIONS);
  return (
    <Panel
      title={title}
      tools={<ExportMenu request={request} fileName={name} title={title} isTable={false} />}
    >
      <QueryView query={query} subject="corrections">
        {() =>
          corrections.length === 0 ? (
            <EmptyState title="Nothing was corrected">
              Every figure stands as it was first published.
            </EmptyState>
          ) : (
            <>
              <ol class="corrections">
                {shown.map((amendment) => (
                  <li key={amendment.revision}>
                    <RevisionItem amendment={amendment} choice={props.choice} />
                  </li>
                ))}
              </ol>
              {shown.length < corrections.length && (
                <button type="button" onClick={() => setWhole(true)}>
                  Show all {corrections.length}
                </button>
              )}
              {query.meta?.next && (
                <p class="list-footer">
                  These are the newest; <Link view="ledger">the ledger</Link> has all.
                </p>
              )}
            </>
          )
        }
      </QueryView>
    </Panel>
  );
}

interface RevisionItemProps {
  readonly amendment: RevisionCorrections;
  readonly choice: PeriodSelection | undefined;
}

function RevisionItem({ amendment, choice }: RevisionItemProps) {
  const { values, added, removed } = amendment;
  const periods = [...Map.groupBy(values, ({ periodKey }) => periodKey).values()];
  const more = periods.slice(INITIAL_PERIODS);
  const listed = (those: typeof periods) =>
    those.map((each) => (
      <div key={each[0]?.periodKey}>
        <PeriodHeading
          at={each[0]?.periodKey ?? ''}
          period={each[0]?.period ?? ''}
          choice={choice}
        />
        <ValueChangeList all={each} />
      </div>
    ));
  return (
    <>
      <p>
        <RevisionLink {...amendment} />
      </p>
      {added.length > 0 && <p>Added: {formatNames(added)}.</p>}
      {removed.length > 0 && <p>Retired: {formatNames(removed)}.</p>}
      {values.length + added.length + removed.length === 0 && (
        <p>No figure changed, but something beside them.</p>
      )}
      {listed(periods.slice(0, INITIAL_PERIODS))}
      {more.length > 0 && (
        <details>
          <summary>and {more.length} more</summary>
          {listed(more)}
        </details>
      )}
    </>
  );
}

interface PeriodHeadingProps extends Pick<RevisionItemProps, 'choice'> {
  readonly at: string;
  readonly period: string;
}

function PeriodHeading({ at, period, choice }: PeriodHeadingProps) {
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
function formatNames(names: readonly string[]): string {
  if (names.length <= 4) return names.join(', ');
  return `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;
}
