import { useMemo } from 'preact/hooks';
import { Checks } from '../composition/checks.tsx';
import type { Palette } from '../composition/tones.ts';
import { Corrections } from '../differences/corrections.tsx';
import type { Measure } from '../figures/figures.ts';
import { Notes } from '../parts/notes.tsx';
import type { Entry } from '../service/catalogue.ts';
import { fieldOf } from '../service/catalogue.ts';
import { coloursOf, spanOf } from './allocation.ts';
import { AllocationPanel } from './allocation-panel.tsx';
import type { FundRecord } from './fund.ts';
import { Known } from './known.tsx';
import { PeriodsPanel } from './periods-panel.tsx';
import { SharesPanel } from './shares-panel.tsx';
import { useFund } from './use-fund.ts';

interface MixProps {
  readonly entry: Entry;
  readonly one: FundRecord;
  /** The fund that it is compared with. */
  readonly two?: FundRecord | undefined;
  readonly short: (id: string) => string;
}

/** What funds are shown with, so that two of them look alike. */
export interface Setting {
  readonly entry: Entry;
  readonly short: (id: string) => string;
  readonly measure: Measure;
  readonly palette: Palette;
  /** From when to when it is drawn, where two funds stand side by side. */
  readonly span: readonly [number, number] | undefined;
}

/** What one fund holds, or what two do. */
export function Mix({ entry, one, two, short }: MixProps) {
  const known = useMemo(() => {
    const records = two ? [one, two] : [one];
    const measure = measureOf(entry);
    const span = two && spanOf(records);
    return { measure, palette: coloursOf(records, measure), span };
  }, [entry, one, two]);
  const setting: Setting = { entry, short, ...known };
  if (!two) return <Alone record={one} setting={setting} />;
  return (
    <>
      <div class="split">
        <SharesPanel one={one} two={two} setting={setting} />
        <Notes entry={entry} />
      </div>
      <div class="pair">
        <Beside record={one} setting={setting} />
        <Beside record={two} setting={setting} />
      </div>
    </>
  );
}

/** How shares are written: the catalogue tells of the rows' values. */
function measureOf(entry: Entry): Measure {
  const values = fieldOf(entry, 'rows')?.fields?.find(({ name }) => name === 'values');
  return values ?? { kind: 'numbers', unit: 'percent' };
}

interface OneProps {
  readonly record: FundRecord;
  readonly setting: Setting;
}

function Alone({ record, setting }: OneProps) {
  const fund = useFund(record, setting);
  return (
    <>
      <Known record={record} />
      <div class="split">
        <AllocationPanel title="Allocation" fund={fund} setting={setting} />
        <div class="side">
          <SharesPanel one={record} setting={setting} />
          <Notes entry={setting.entry} />
        </div>
      </div>
      <div class="split">
        <PeriodsPanel title="Every period" fund={fund} setting={setting} />
        <div class="side">
          <FundChecks title="Checks" fund={fund} setting={setting} isAlone />
          <Corrections {...fund.corrections} amendments={fund.amendments} />
        </div>
      </div>
    </>
  );
}

/** A fund in a column of its own, with its short identifier in every title. */
function Beside({ record, setting }: OneProps) {
  const fund = useFund(record, setting);
  const of = (what: string) => `${setting.short(record.fund_id)}: ${what}`;
  return (
    <div class="side">
      <Known record={record} />
      <AllocationPanel title={of('allocation')} fund={fund} setting={setting} />
      <PeriodsPanel title={of('every period')} fund={fund} setting={setting} />
      <FundChecks title={of('checks')} fund={fund} setting={setting} />
      <Corrections {...fund.corrections} title={of('corrections')} amendments={fund.amendments} />
    </div>
  );
}

interface FundChecksProps {
  readonly title: string;
  readonly fund: ReturnType<typeof useFund>;
  readonly setting: Setting;
  /** Whether no other fund stands beside it. */
  readonly isAlone?: boolean;
}

function FundChecks({ title, fund, setting: { entry }, isAlone }: FundChecksProps) {
  const { record, allocation } = fund;
  // Period by period, so that each one that is off is told.
  const slices = record.periods.map((period, index) => {
    const rows = record.rows.map(({ label, values }) => ({ label, values: [values[index]] }));
    return { label: period.label, record: { ...record, periods: [period], rows } };
  });
  return (
    <Checks
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
    </Checks>
  );
}
