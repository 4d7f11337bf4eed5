import { type Measure, unitOf } from '../figures/figures.ts';
import { gap, pairOf } from './writing.ts';

/** A value before and after. */
interface Changed {
  readonly measure: Measure;
  readonly old: unknown;
  readonly new: unknown;
}

interface OldAndNewProps {
  readonly of: Changed;
  /** Whether it is told to the last digit, with how much more it is. */
  readonly isExact?: boolean | undefined;
}

/** A value before and after, which never look alike, with their unit. */
export function OldAndNew({ of: { measure, old, new: later }, isExact }: OldAndNewProps) {
  const pair = pairOf(old, later, measure, isExact);
  const more = isExact && gap(old, later, measure);
  return (
    <span class="old-and-new">
      <del>
        <span class="unseen">was </span>
        {pair.old}
      </del>{' '}
      <span aria-hidden="true">→</span>{' '}
      <ins>
        <span class="unseen">is </span>
        {pair.new}
      </ins>{' '}
      {unitOf(measure)}
      {more && <small class="quiet"> ({more})</small>}
    </span>
  );
}

interface ChangesProps extends Pick<OldAndNewProps, 'isExact'> {
  readonly all: readonly (Changed & Named)[];
}

interface Named {
  readonly key: string;
  readonly title: string;
  readonly hint?: string;
}

/** Values before and after, each with its name. */
export function Changes({ all, isExact }: ChangesProps) {
  return (
    <dl class="changes">
      {all.map((each) => (
        <div key={each.key}>
          <dt title={each.hint}>{each.title}</dt>
          <dd>
            <OldAndNew of={each} isExact={isExact} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
