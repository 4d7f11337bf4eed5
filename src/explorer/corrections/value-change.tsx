import type { RevisionEntry } from '../api/types.ts';
import { formatInstantLabel } from '../formatting/dates.ts';
import { formatDifference, formatPair, getUnit, type UnitInfo } from '../formatting/numbers.ts';
import { Link } from '../routing/view-route.tsx';

interface ValueChange {
  readonly key: string;
  readonly title: string;
  readonly hint?: string;
  readonly old: unknown;
  readonly new: unknown;
  readonly unitInfo: UnitInfo;
}

/** A value before and after a correction. If exact, with all digits and the difference. */
function renderChange({ old, new: current, unitInfo }: ValueChange, isExact: boolean | undefined) {
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

export function ValueChangeList(props: { changes: readonly ValueChange[]; isExact?: boolean }) {
  return (
    <dl class="value-changes">
      {props.changes.map((change) => (
        <div key={change.key}>
          <dt title={change.hint}>{change.title}</dt>
          <dd>{renderChange(change, props.isExact)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Which revision did it, and when: leads to all that it did. */
export function RevisionLink(props: Pick<RevisionEntry, 'revision' | 'publishedAt'>) {
  const { revision, publishedAt } = props;
  return (
    <>
      <Link view="ledger" params={{ revision: String(revision) }}>
        Revision {revision}
      </Link>{' '}
      <span class="muted">published {formatInstantLabel(publishedAt)}</span>
    </>
  );
}
