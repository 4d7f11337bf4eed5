import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { FactList, Panel } from '../components/panel.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import {
  formatType,
  getField,
  hasMatured,
  type QuotedSecurity,
  type SecurityProps,
} from './quoted-security.ts';

/** `10-year bond · Government of Zedland · Bond, matures on 21 Oct 2026`. */
export function SecurityDescription({ entry, security }: SecurityProps) {
  const { name, issuer, type, maturityDate } = security;
  const maturity = `${hasMatured(security, entry) ? 'matured' : 'matures'} on ${formatDayLabel(maturityDate)}`;
  const parts = [name, issuer, `${formatType(type)}, ${maturity}`];
  return <p class="muted">{parts.filter((part) => part !== null).join(' · ')}</p>;
}

export function SecurityFactsPanel({ entry, security }: SecurityProps) {
  const { symbol, isin, type, firstDate, lastDate } = security;
  const describe = (name: keyof Quote) => getField(entry, name).meaning;
  const maturity = formatDayLabel(security.maturityDate);
  return (
    <Panel title="The security">
      <FactList
        facts={[
          { name: 'Symbol', value: symbol, hint: describe('symbol') },
          { name: 'ISIN', value: isin, hint: describe('isin') },
          ...listReferenceFacts(security),
          { name: describe('type'), value: formatType(type) },
          {
            name: describe('maturityDate'),
            value: hasMatured(security, entry) ? `matured on ${maturity}` : maturity,
          },
          { name: 'First quote', value: formatDayLabel(firstDate) },
          { name: 'Last quote', value: formatDayLabel(lastDate) },
        ]}
      />
    </Panel>
  );
}

/** Facts of a security from reference data; unknown ones are left out. */
function listReferenceFacts({ name, issuer, issueDate, ...terms }: QuotedSecurity) {
  const facts = { Name: name, Issuer: issuer, Issued: issueDate && formatDayLabel(issueDate) };
  return Object.entries({ ...facts, Coupon: formatCoupon(terms) }).flatMap(([fact, value]) =>
    value === null ? [] : [{ name: fact, value }],
  );
}

type Coupon = Pick<QuotedSecurity, 'couponRate' | 'couponFrequency' | 'floating' | 'pricing'>;

/** `12.5 % a year, twice a year, floating`; null where it is unknown. */
function formatCoupon({ couponRate, couponFrequency, floating, pricing }: Coupon): string | null {
  if (pricing === 'discount') return 'none: priced at a discount';
  if (pricing === 'zero') return 'none: a zero-coupon bond';
  if (couponRate === null) return floating ? 'floating' : null;
  const times = { 1: 'once', 2: 'twice', 4: 'four times', 12: 'twelve times' }[
    couponFrequency ?? 1
  ];
  const parts = [
    `${couponRate} % a year`,
    couponFrequency === null ? '' : `paid ${times} a year`,
    floating ? 'floating' : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}
