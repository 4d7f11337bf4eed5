import type { DatasetEntry } from '../api/types.ts';
import { NotesPanel } from '../components/panel.tsx';
import { CorrectionsPanel } from '../corrections/corrections-panel.tsx';
import { ChecksPanel } from '../series/checks-panel.tsx';
import { findDecimals } from '../series/compute-changes.ts';
import {
  AllocationPanel,
  type FundProps,
  type FundViewOptions,
  useFundCorrections,
} from './allocation-panel.tsx';
import { assignClassColors, buildAllocation, getPeriodSpan } from './build-allocation.ts';
import { type FundAllocationRecord, getShareUnit } from './fund-record.ts';
import { PeriodsPanel, SharesPanel } from './shares-panel.tsx';

interface FundDetailProps extends Pick<FundViewOptions, 'entry' | 'nameFund'> {
  /** One fund, or two to compare. */
  readonly records: readonly FundAllocationRecord[];
}

export function FundDetail({ entry, records, nameFund }: FundDetailProps) {
  const options = createFundViewOptions(entry, records, nameFund);
  const [record, otherRecord] = records;
  if (!record) return null;
  if (!otherRecord) return <SingleFund record={record} options={options} />;
  return (
    <>
      <div class="columns fund-pair">
        {records.map((each) => (
          <AllocationPanel
            key={each.fund_id}
            title={`${nameFund(each.fund_id)}: allocation`}
            record={each}
            options={options}
          />
        ))}
      </div>
      <div class="columns">
        <SharesPanel record={record} otherRecord={otherRecord} options={options} />
        <NotesPanel entry={entry} />
      </div>
    </>
  );
}

/** Colours and units for one fund, or for two that are compared. */
export function createFundViewOptions(
  entry: DatasetEntry,
  records: readonly FundAllocationRecord[],
  nameFund: FundViewOptions['nameFund'],
): FundViewOptions {
  const shareUnit = getShareUnit(entry);
  const shares = records.flatMap(({ rows }) => rows.flatMap(({ values }) => values));
  const unitInfo = { ...shareUnit, roundedTo: findDecimals(shares, shareUnit) };
  const palette = assignClassColors(records, unitInfo);
  const span = records.length > 1 ? getPeriodSpan(records) : undefined;
  return { entry, nameFund, unitInfo, palette, span };
}

function SingleFund(fund: FundProps) {
  const corrections = useFundCorrections(fund);
  return (
    <>
      <div class="columns">
        <AllocationPanel title="Allocation" {...fund} />
        <div class="stack">
          <SharesPanel {...fund} />
          <NotesPanel entry={fund.options.entry} />
          {renderChecks(fund)}
        </div>
      </div>
      <div class="columns">
        <PeriodsPanel {...fund} />
        <CorrectionsPanel {...corrections} />
      </div>
    </>
  );
}

function renderChecks({ record, options }: FundProps) {
  // Periods are checked one by one, so that each violation is listed with its period.
  const periods = record.periods.map((period, index) => {
    const rows = record.rows.map(({ label, values }) => ({ label, values: [values[index]] }));
    return { label: period.label, record: { ...record, periods: [period], rows } };
  });
  const gaps = buildAllocation(record, options).gaps.map(
    ([before, after]) => `Nothing was published between ${before.label} and ${after.label}`,
  );
  return <ChecksPanel entry={options.entry} periods={periods} gaps={gaps} periodNoun="period" />;
}
