import type { ComponentChildren } from 'preact';
import { type ConsistencyCheck, findViolation } from '../../catalogue/model/consistency-check.ts';
import type { JsonRecord } from '../api/types.ts';
import { Panel } from '../components/panel.tsx';
import { PublicationWarnings } from '../ledger/publication-warnings.tsx';

/** What is checked for one period. */
export interface CheckedPeriod {
  readonly label: string;
  readonly record: JsonRecord;
}

interface ChecksPanelProps {
  readonly title?: string;
  /** The dataset whose last revisions are told of. */
  readonly dataset?: string;
  /** Whose figures those are, where they are not only these. */
  readonly about?: string;
  readonly checks: readonly ConsistencyCheck[];
  readonly slices: readonly CheckedPeriod[];
  /** What a period is called. */
  readonly noun: string;
  /** What else was looked at. */
  readonly children?: ComponentChildren;
}

/** Holds every period to what should add up, and tells what was noticed when it was published. */
export function ChecksPanel(props: ChecksPanelProps) {
  const { title, dataset, about, checks, slices, noun, children } = props;
  return (
    <Panel title={title ?? 'Checks'}>
      <div class="checks">
        {checks.map((check) => (
          <CheckResult
            key={`${check.name} ${check.rule}`}
            check={check}
            slices={slices}
            noun={noun}
          />
        ))}
        {checks.length === 0 && (
          <p>The catalogue names nothing that these figures should add up to.</p>
        )}
        {children}
        {dataset !== undefined && <PublicationWarnings dataset={dataset} about={about} />}
      </div>
    </Panel>
  );
}

const MAX_LISTED_VIOLATIONS = 8;

interface CheckResultProps extends Pick<ChecksPanelProps, 'slices' | 'noun'> {
  readonly check: ConsistencyCheck;
}

function CheckResult({ check, slices, noun }: CheckResultProps) {
  const broken = slices.filter(({ record }) => findViolation(check, record) !== undefined);
  if (broken.length === 0) {
    return (
      <p class="check-passed">
        {slices.length === 1 ? `In the only ${noun}` : `In all ${pluralize(slices.length, noun)}`}:{' '}
        <CheckStatement check={check} />
      </p>
    );
  }
  return (
    <div class="warning">
      <p>
        In {broken.length} of {pluralize(slices.length, noun)} this does not hold:{' '}
        <CheckStatement check={check} />
      </p>
      <ul>
        {broken.slice(0, MAX_LISTED_VIOLATIONS).map(({ label, record }) => (
          <li key={label}>
            <b>{label}</b>: {findViolation(check, record)}
          </li>
        ))}
      </ul>
      {broken.length > MAX_LISTED_VIOLATIONS && (
        <p>… and {broken.length - MAX_LISTED_VIOLATIONS} more.</p>
      )}
    </div>
  );
}

function CheckStatement({ check: { rule } }: { readonly check: ConsistencyCheck }) {
  return <code>{rule}</code>;
}

/** `1 quarter`, `32 quarters`. */
export function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
