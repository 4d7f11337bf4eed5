import { getSettlementDay } from '../../bonds/index.ts';
import type { SecurityRecord } from '../../catalogue/datasets/securities.ts';
import { formatDay, MONTH_ABBREVIATIONS } from '../../shared/calendar.ts';
import type { SampleSecurity } from './generate-securities.ts';

/** The reference data of a security as known on a day: a floater has the rate of that day. */
export function describeSecurity(security: SampleSecurity, day: number): SecurityRecord {
  const { symbol, isin, issued, maturity, coupon, couponRate } = security;
  const { name, issuer } = nameSecurity(symbol, maturity);
  const issueDate = formatDay(issued);
  const description = { symbol, isin, name, issuer, issueDate, ...NO_CONVENTIONS };
  if (coupon === 'discount') {
    const terms = { couponRate: null, couponFrequency: null, pricing: 'discount' } as const;
    return { ...description, ...terms, floating: false };
  }
  const lastSettlement = maturity - 1;
  return {
    ...description,
    couponRate: couponRate(Math.min(getSettlementDay(day), lastSettlement)),
    couponFrequency: coupon.frequency,
    pricing: 'coupon',
    floating: coupon.rate === 'floating',
    dayCount: coupon.rate === 'floating' || issuer === GOVERNMENT ? null : 'ACT/ACT',
  };
}

const NO_CONVENTIONS = {
  dayCount: null,
  exDividendDays: null,
  settlementDays: null,
  calendar: null,
};

const GOVERNMENT = 'Government of Zedland';

const GOVERNMENT_KINDS: Readonly<Record<string, string>> = {
  TB: 'month Treasury bill',
  PIB: 'year bond',
  PFL: 'year floating-rate bond',
  GIS: 'year discount sukuk',
  FRR: 'year fixed-rental sukuk',
  VRR: 'year variable-rental sukuk',
};

const COMPANIES: Readonly<Record<string, string>> = {
  BRKLEA: 'Brooklea Leasing',
  CEDAR: 'Cedar Bank',
  DUNEPWR: 'Dune Power',
  HARBOR: 'Harbor Terminals',
  LARKMR: 'Larkmere Foods',
  OXMERE: 'Oxmere Cement',
  SALTPN: 'Saltpan Chemicals',
  TAMRDG: 'Tamridge Telecom',
};

const PAPERS: Readonly<Record<string, string>> = {
  TFC: 'term finance certificate',
  SC: 'sukuk certificate',
};

/** By its symbol: `Z05PIB150930` is a bond of five years, `CEDARTFC2` the second of a bank. */
function nameSecurity(symbol: string, maturity: number): Pick<SecurityRecord, 'name' | 'issuer'> {
  const [, tenor, kind = ''] = /^ZZ?(\d\d)([A-Z]+)\d{6}$/.exec(symbol) ?? [];
  const due = formatDueDay(maturity);
  if (tenor !== undefined) {
    const name = `${Number(tenor)}-${GOVERNMENT_KINDS[kind]}, ${due}`;
    return { name, issuer: GOVERNMENT };
  }
  const [, company = '', paper = '', number] = /^([A-Z]+?)(TFC|SC)(\d)$/.exec(symbol) ?? [];
  const issuer = COMPANIES[company] ?? company;
  return { name: `${issuer} ${PAPERS[paper]} ${number}, ${due}`, issuer };
}

/** `3 Dec 2026`, whatever the languages of a machine. */
function formatDueDay(day: number): string {
  const [year, month, date] = formatDay(day).split('-');
  return `${Number(date)} ${MONTH_ABBREVIATIONS[Number(month) - 1]} ${year}`;
}
