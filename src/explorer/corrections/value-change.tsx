import type { RevisionEntry } from '../api/types.ts';
import { formatInstantLabel } from '../formatting/dates.ts';
import { formatDifference, formatPair, getUnit, type UnitInfo } from '../formatting/numbers.ts';
import { Link } from '../routing/link.tsx';

interface ValueChangeProps {
  readonly old: unknown;
  readonly new: unknown;
  readonly unitInfo: UnitInfo;
  /** Whether all digits are shown, and the difference. */
  readonly isExact?: boolean | undefined;
}

/** A value before and after a correction, with as many digits as tell them apart. */
export function ValueChange({ old, new: current, unitInfo, isExact }: ValueChangeProps) {
  const pair = formatPair(old, current, unitInfo, isExact);
  const difference = isExact && formatDifference(old, current, unitInfo);
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
      {getUnit(unitInfo)}
      {difference && <small class="muted"> ({difference})</small>}
    </span>
  );
}

interface ValueChangeListProps extends Pick<ValueChangeProps, 'isExact'> {
  readonly changes: readonly (Omit<ValueChangeProps, 'isExact'> & {
    readonly key: string;
    readonly title: string;
    readonly hint?: string;
  })[];
}

export function ValueChangeList({ changes, isExact }: ValueChangeListProps) {
  return (
    <dl class="value-changes">
      {changes.map(({ key, title, hint, ...change }) => (
        <div key={key}>
          <dt title={hint}>{title}</dt>
          <dd>
            <ValueChange {...change} isExact={isExact} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Which revision did it, and when: leads to all that it did. */
export function RevisionLink({
  revision,
  publishedAt,
}: Pick<RevisionEntry, 'revision' | 'publishedAt'>) {
  return (
    <>
      <Link view="ledger" params={{ revision: String(revision) }}>
        Revision {revision}
      </Link>{' '}
      <span class="muted">published {formatInstantLabel(publishedAt)}</span>
    </>
  );
}
