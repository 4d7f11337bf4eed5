import { useMemo } from 'preact/hooks';
import type { DatasetEntry } from '../api/types.ts';
import { findField } from '../api/types.ts';
import { ChecksPanel } from '../breakdown/checks-panel.tsx';
import type { Palette } from '../breakdown/palette.ts';
import { NotesPanel } from '../components/dataset-panels.tsx';
import { CorrectionsPanel } from '../corrections/corrections-panel.tsx';
import type { UnitInfo } from '../formatting/numbers.ts';
import { assignClassColors, getPeriodSpan } from './allocation.ts';
import { AllocationPanel } from './allocation-panel.tsx';
import { FundHeader } from './fund-header.tsx';
import type { FundRecord } from './fund-record.ts';
import { PeriodsPanel } from './periods-panel.tsx';
import { SharesPanel } from './shares-panel.tsx';
import { useFundData } from './use-fund-data.ts';

interface FundDetailProps {
  readonly entry: DatasetEntry;
  readonly one: FundRecord;
  /** The fund that it is compared with. */
  readonly two?: FundRecord | undefined;
  readonly short: (id: string) => string;
}

/** What funds are shown with, so that two of them look alike. */
export interface FundViewOptions {
  readonly entry: DatasetEntry;
  readonly shortenId: (id: string) => string;
  readonly unitInfo: UnitInfo;
  readonly palette: Palette;
  /** From when to when it is drawn, where two funds stand side by side. */
  readonly span: readonly [number, number] | undefined;
}

/** What one fund holds, or what two do. */
export function FundDetail({ entry, one, two, short }: FundDetailProps) {
  const known = useMemo(() => {
    const records = two ? [one, two] : [one];
    const measure = getShareUnit(entry);
    const span = two && getPeriodSpan(records);
    return { unitInfo: measure, palette: assignClassColors(records, measure), span };
  }, [entry, one, two]);
  const options: FundViewOptions = { entry, shortenId: short, ...known };
  if (!two) return <SingleFund record={one} setting={options} />;
  return (
    <>
      <div class="two-columns">
        <SharesPanel one={one} two={two} setting={options} />
        <NotesPanel entry={entry} />
      </div>
      <div class="fund-pair">
        <ComparedFund record={one} setting={options} />
        <ComparedFund record={two} setting={options} />
      </div>
    </>
  );
}

/** How shares are written: the catalogue tells of the rows' values. */
function getShareUnit(entry: DatasetEntry): UnitInfo {
  const values = findField(entry, 'rows')?.fields?.find(({ name }) => name === 'values');
  return values ?? { kind: 'numbers', unit: 'percent' };
}

interface FundColumnProps {
  readonly record: FundRecord;
  readonly setting: FundViewOptions;
}

function SingleFund({ record, setting: options }: FundColumnProps) {
  const fund = useFundData(record, options);
  return (
    <>
      <FundHeader record={record} />
      <div class="two-columns">
        <AllocationPanel title="Allocation" fund={fund} options={options} />
        <div class="sidebar">
          <SharesPanel one={record} setting={options} />
          <NotesPanel entry={options.entry} />
        </div>
      </div>
      <div class="two-columns">
        <PeriodsPanel title="Every period" fund={fund} options={options} />
        <div class="sidebar">
          <FundChecksPanel title="Checks" fund={fund} setting={options} isAlone />
          <CorrectionsPanel {...fund.corrections} amendments={fund.amendments} />
        </div>
      </div>
    </>
  );
}

/** A fund in a column of its own, with its short identifier in every title. */
function ComparedFund({ record, setting: options }: FundColumnProps) {
  const fund = useFundData(record, options);
  const of = (what: string) => `${options.shortenId(record.fund_id)}: ${what}`;
  return (
    <div class="sidebar">
      <FundHeader record={record} />
      <AllocationPanel title={of('allocation')} fund={fund} options={options} />
      <PeriodsPanel title={of('every period')} fund={fund} options={options} />
      <FundChecksPanel title={of('checks')} fund={fund} setting={options} />
      <CorrectionsPanel
        {...fund.corrections}
        title={of('corrections')}
        amendments={fund.amendments}
      />
    </div>
  );
}

interface FundChecksPanelProps {
  readonly title: string;
  readonly fund: ReturnType<typeof useFundData>;
  readonly setting: FundViewOptions;
  /** Whether no other fund stands beside it. */
  readonly isAlone?: boolean;
}

function FundChecksPanel({ title, fund, setting: { entry }, isAlone }: FundChecksPanelProps) {
  const { record, allocation } = fund;
  // Period by period, so that each one that is off is told.
  const slices = record.periods.map((period, index) => {
    const rows = record.rows.map(({ label, values }) => ({ label, values: [values[index]] }));
    return { label: period.label, record: { ...record, periods: [period], rows } };
  });
  return (
    <ChecksPanel
      title={title}
      {...(isAlone && { dataset: entry.name, about: 'of any fund' })}
      checks={entry.checks}
      slices={slices}
      noun="period"
    >
      {allocation.gaps.map(([after, before]) => (
        <p key={after.date} class="warning">
          Nothing was published between {after.label} and {before.label}: the chart is left empty
          there.
        </p>
      ))}
    </ChecksPanel>
  );
}
