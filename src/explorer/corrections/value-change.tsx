import { getUnit, type UnitInfo } from '../formatting/numbers.ts';
import { formatDifference, formatPair } from '../formatting/value-pair.ts';

/** A value before and after. */
interface ValueChangeData {
  readonly measure: UnitInfo;
  readonly old: unknown;
  readonly new: unknown;
}

interface ValueChangeProps {
  readonly of: ValueChangeData;
  /** Whether it is told to the last digit, with how much more it is. */
  readonly isExact?: boolean | undefined;
}

/** A value before and after, which never look alike, with their unit. */
export function ValueChange({ of: { measure, old, new: later }, isExact }: ValueChangeProps) {
  const pair = formatPair(old, later, measure, isExact);
  const more = isExact && formatDifference(old, later, measure);
  return (
    <span class="value-change">
      <del>
        <span class="visually-hidden">was </span>
        {pair.old}
      </del>{' '}
      <span aria-hidden="true">→</span>{' '}
      <ins>
        <span class="visually-hidden">is </span>
        {pair.new}
      </ins>{' '}
      {getUnit(measure)}
      {more && <small class="muted"> ({more})</small>}
    </span>
  );
}

interface ValueChangeListProps extends Pick<ValueChangeProps, 'isExact'> {
  readonly all: readonly (ValueChangeData & LabelledChange)[];
}

interface LabelledChange {
  readonly key: string;
  readonly title: string;
  readonly hint?: string;
}

/** Values before and after, each with its name. */
export function ValueChangeList({ all, isExact }: ValueChangeListProps) {
  return (
    <dl class="value-changes">
      {all.map((each) => (
        <div key={each.key}>
          <dt title={each.hint}>{each.title}</dt>
          <dd>
            <ValueChange of={each} isExact={isExact} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
