import type { DatasetEntry } from '../api/types.ts';
import { ChecksPanel } from '../breakdown/checks-panel.tsx';
import { findDecimals } from '../breakdown/compute-changes.ts';
import { NotesPanel } from '../components/panel.tsx';
import { CorrectionsPanel } from '../corrections/corrections-panel.tsx';
import { formatInstantLabel } from '../formatting/dates.ts';
import { formatQuantity } from '../formatting/numbers.ts';
import {
  AllocationPanel,
  type FundPanelProps,
  type FundViewOptions,
  useFundData,
} from './allocation-panel.tsx';
import { assignClassColors, getPeriodSpan } from './build-allocation.ts';
import { type FundAllocationRecord, getShareUnit } from './fund-record.ts';
import { PeriodsPanel, SharesPanel } from './shares-panel.tsx';

interface FundDetailProps extends Pick<FundViewOptions, 'entry' | 'nameFund'> {
  readonly record: FundAllocationRecord;
  readonly otherRecord: FundAllocationRecord | undefined;
}

export function FundDetail({ entry, record, otherRecord, nameFund }: FundDetailProps) {
  const records = otherRecord ? [record, otherRecord] : [record];
  const fundProps = { record, options: createFundViewOptions(entry, records, nameFund) };
  if (!otherRecord) return <SingleFund {...fundProps} />;
  return (
    <>
      <div class="columns">
        <SharesPanel {...fundProps} otherRecord={otherRecord} />
        <NotesPanel entry={entry} />
      </div>
      <div class="columns fund-pair">
        <ComparedFund {...fundProps} />
        <ComparedFund {...fundProps} record={otherRecord} />
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
  const unitInfo = { ...shareUnit, decimals: findDecimals(shares, shareUnit) };
  const palette = assignClassColors(records, unitInfo);
  const span = records.length > 1 ? getPeriodSpan(records) : undefined;
  return { entry, nameFund, unitInfo, palette, span };
}

interface FundProps {
  readonly record: FundAllocationRecord;
  readonly options: FundViewOptions;
}

function SingleFund({ record, options }: FundProps) {
  const fund = useFundData(record, options);
  const { entry } = options;
  return (
    <>
      <FundHeader record={record} />
      <div class="columns">
        <AllocationPanel title="Allocation" fund={fund} />
        <div class="stack">
          <SharesPanel record={record} options={options} />
          <NotesPanel entry={entry} />
          {renderChecks('Checks', fund)}
        </div>
      </div>
      <div class="columns">
        <PeriodsPanel title="Every period" fund={fund} />
        <CorrectionsPanel {...fund.correctionsQuery} />
      </div>
    </>
  );
}

/** One of two funds, with its short identifier in every title. */
function ComparedFund({ record, options }: FundProps) {
  const fund = useFundData(record, options);
  const id = options.nameFund(record.fund_id);
  return (
    <div class="stack">
      <FundHeader record={record} />
      <AllocationPanel title={`${id}: allocation`} fund={fund} />
      <PeriodsPanel title={`${id}: every period`} fund={fund} />
      {renderChecks(`${id}: checks`, fund)}
      <CorrectionsPanel {...fund.correctionsQuery} title={`${id}: corrections`} />
    </div>
  );
}

/** The whole identifier, and how the fund reports. */
function FundHeader({
  record: { fund_id, frequency, periods, modified },
}: Pick<FundProps, 'record'>) {
  return (
    <p class="fund-header row">
      <code>{fund_id}</code>
      <span class="muted">
        {frequency}, {formatQuantity(periods.length, 'period')}, last modified{' '}
        {formatInstantLabel(modified)}
      </span>
    </p>
  );
}

function renderChecks(title: string, fund: FundPanelProps['fund']) {
  const { entry, record, allocation } = fund;
  // Each period is checked alone, so that each violation is listed with its period.
  const periods = record.periods.map((period, index) => {
    const rows = record.rows.map(({ label, values }) => ({ label, values: [values[index]] }));
    return { label: period.label, record: { ...record, periods: [period], rows } };
  });
  const gaps = allocation.gaps.map(
    ([before, after]) => `Nothing was published between ${before.label} and ${after.label}`,
  );
  return <ChecksPanel {...{ title, entry, periods, gaps }} periodNoun="period" />;
}
