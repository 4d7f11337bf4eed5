import { type DatasetEntry, getDatasetTitle, type RevisionEntry } from '../api/types.ts';
import { createTextColumn, type DataTableColumn } from '../components/data-table.tsx';
import { ValueChange } from '../corrections/corrections-panel.tsx';
import { formatSeriesKey, getTitle } from '../corrections/revision-corrections.ts';
import { formatInstantLabel } from '../formatting/dates.ts';
import { formatNumber } from '../formatting/numbers.ts';
import { ViewLink } from '../routing/view-route.tsx';
import { type CorrectionCounts, findLargestChange } from './count-extensions.ts';
import type { LedgerCorrections } from './ledger-corrections.tsx';

export function SampleBadge({ sample }: Pick<RevisionEntry, 'sample'>) {
  return sample ? <span class="badge">sample</span> : null;
}

const COUNTS = ['corrected', 'extended', 'retired', 'added', 'unchanged'] as const;

/** `1 corrected, 774 added`; records that only gained periods are counted separately, if known. */
export function renderCounts(revision: RevisionEntry, counts: CorrectionCounts | undefined) {
  const all = { ...revision, extended: 0, ...counts };
  const present = COUNTS.filter((name) => all[name] > 0);
  if (present.length === 0) return <span class="muted">nothing</span>;
  return present.map((name, index) => (
    <span key={name} class={/corr|retir/.test(name) ? 'changed' : undefined}>
      {index > 0 && ', '}
      {formatNumber(all[name], 0)} {name}
    </span>
  ));
}

export function createRevisionColumns(
  catalogue: readonly DatasetEntry[],
  corrections: LedgerCorrections,
): DataTableColumn<RevisionEntry>[] {
  return [
    createTextColumn('revision', 'Revision', ({ revision, publishedAt }) => (
      <>
        <ViewLink view="ledger" params={{ revision: String(revision) }} class="revision-link">
          {revision}
        </ViewLink>{' '}
        <small>
          <time dateTime={publishedAt}>{formatInstantLabel(publishedAt)}</time>
        </small>
      </>
    )),
    createTextColumn(
      'dataset',
      'Dataset and source',
      ({ dataset, note, source, author, sample }) => (
        <>
          {note !== null && <div class="revision-note">{note}</div>}
          {getDatasetTitle(catalogue, dataset)}
          <small>
            {source}, by {author} <SampleBadge sample={sample} />
          </small>
        </>
      ),
    ),
    createTextColumn('changes', 'Records and largest change', (revision) => (
      <>
        {renderCounts(revision, corrections.counts.get(revision.revision))}
        {renderLargestChange(revision, catalogue, corrections)}
      </>
    )),
  ];
}

function renderLargestChange(
  revision: RevisionEntry,
  catalogue: readonly DatasetEntry[],
  corrections: LedgerCorrections,
) {
  const entry = catalogue.find(({ name }) => name === revision.dataset);
  const own = corrections.byRevision.get(revision.revision) ?? [];
  const change = entry && findLargestChange(entry, own);
  if (!change) return null;
  return (
    <small>
      {entry.shape === 'series' && `${formatSeriesKey(entry, change.record)}: `}
      {getTitle(change)} <ValueChange {...change} unitInfo={change.unitField} />
    </small>
  );
}
