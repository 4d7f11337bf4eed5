import type { ComponentChildren } from 'preact';
import { holds, type Identity, tells } from '../../catalogue/identity.ts';
import { Panel } from '../parts/panel.tsx';
import type { AnyRecord } from '../service/catalogue.ts';
import { Noticed } from './noticed.tsx';

/** What is checked for one period. */
export interface Slice {
  readonly label: string;
  readonly record: AnyRecord;
}

interface ChecksProps {
  readonly title?: string;
  /** The dataset whose last revisions are told of. */
  readonly dataset?: string;
  /** Whose figures those are, where they are not only these. */
  readonly about?: string;
  readonly checks: readonly Identity[];
  readonly slices: readonly Slice[];
  /** What a period is called. */
  readonly noun: string;
  /** What else was looked at. */
  readonly children?: ComponentChildren;
}

/** Holds every period to what should add up, and tells what was noticed when it was published. */
export function Checks(props: ChecksProps) {
  const { title, dataset, about, checks, slices, noun, children } = props;
  return (
    <Panel title={title ?? 'Checks'}>
      <div class="checks">
        {checks.map((check) => (
          <Verdict key={`${check.name} ${check.rule}`} check={check} slices={slices} noun={noun} />
        ))}
        {checks.length === 0 && (
          <p>The catalogue names nothing that these figures should add up to.</p>
        )}
        {children}
        {dataset !== undefined && <Noticed dataset={dataset} about={about} />}
      </div>
    </Panel>
  );
}

const MOST_TOLD = 8;

interface VerdictProps extends Pick<ChecksProps, 'slices' | 'noun'> {
  readonly check: Identity;
}

function Verdict({ check, slices, noun }: VerdictProps) {
  const broken = slices.filter(({ record }) => !holds(check, record));
  if (broken.length === 0) {
    return (
      <p class="kept">
        {slices.length === 1 ? `In the only ${noun}` : `In all ${counted(slices.length, noun)}`}:{' '}
        <Rule check={check} />
      </p>
    );
  }
  return (
    <div class="warning">
      <p>
        In {broken.length} of {counted(slices.length, noun)} this does not hold:{' '}
        <Rule check={check} />
      </p>
      <ul>
        {broken.slice(0, MOST_TOLD).map(({ label, record }) => (
          <li key={label}>
            <b>{label}</b>: {tells(check, record)}
          </li>
        ))}
      </ul>
      {broken.length > MOST_TOLD && <p>… and {broken.length - MOST_TOLD} more.</p>}
    </div>
  );
}

function Rule({ check: { rule } }: { readonly check: Identity }) {
  return <code>{rule}</code>;
}

/** `1 quarter`, `32 quarters`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
