import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { period } from '../../src/catalogue/model/field-builders.ts';
import {
  annual,
  createPeriodKind,
  monthly,
  type PeriodKind,
  quarterly,
} from '../../src/catalogue/model/period.ts';
import {
  createConverter,
  InvalidCell,
  type ValueFormat,
} from '../../src/publish/cells/create-converter.ts';
import { MONTH_ABBREVIATIONS } from '../../src/shared/calendar.ts';
import { PLAIN_FORMAT } from './plain-format.ts';

const parse = (kind: PeriodKind, cell: unknown, periodStyle?: ValueFormat['periodStyle']) =>
  createConverter(period(kind, 'a'), { ...PLAIN_FORMAT, periodStyle })(cell);

const split = (texts: string) => texts.split(/\s*\| /);

const label = fc
  .record({
    kind: fc.constantFrom(annual, quarterly, monthly),
    ordinal: fc.integer({ min: 1, max: 9_999 }),
  })
  .map(({ kind, ordinal }) => [kind, kind.formatLabel(ordinal)] as const);

describe('labels of the catalogue', () => {
  test('are valid with any period style', () => {
    fc.assert(
      fc.property(label, fc.constantFrom(undefined, 'sbp' as const), ([kind, text], periods) =>
        expect(parse(kind, ` ${text}\u00a0`, periods)).toBe(text),
      ),
    );
  });

  test.each([['FY24'], ['FY2024'], ['2023-24'], ['2023-2024']])('%s is kept unchanged', (text) => {
    expect(parse(annual, text, 'sbp')).toBe(text);
  });

  test('a year may be a number', () => {
    expect(parse(annual, 2024)).toBe('2024');
    expect(parse(annual, 2024.5)).toEqual(new InvalidCell(annual.requirement));
    expect(parse(quarterly, 2024, 'sbp')).toEqual(new InvalidCell(quarterly.requirement));
  });
});

describe('months with their full name', () => {
  test.each([
    ['January 2026', 'Jan 2026'],
    ['SEPTEMBER, 2025', 'Sep 2025'],
    ['September-25', 'Sep 2025'],
    ["July '22", 'Jul 2022'],
    ['2022 July', 'Jul 2022'],
    ['31 December 2025', 'Dec 2025'],
  ])('%s is %s, with any period style', (text, expected) => {
    for (const style of [undefined, 'sbp'] as const)
      expect(parse(monthly, text, style)).toBe(expected);
  });

  test.each(['June 2026 (P)', 'June 2026 P', 'June 2026*', 'June 2026 (Provisional) *'])(
    'lose a mark such as %s by --periods sbp alone',
    (text) => {
      expect(parse(monthly, text)).toEqual(
        new InvalidCell(`a month such as Jan 2024; with --periods sbp "${text}" becomes Jun 2026`),
      );
      expect(parse(monthly, text, 'sbp')).toBe('Jun 2026');
    },
  );

  test('are no quarter and no year, and no month if they are a day within it', () => {
    expect(parse(quarterly, 'September 2025')).toEqual(
      new InvalidCell(
        'a quarter such as Q1 2024; with --periods sbp "September 2025" becomes Q1 2026',
      ),
    );
    for (const [kind, text] of [
      [annual, 'December 2025'],
      [monthly, '15 December 2025'],
      [monthly, 'Januar 2026'],
    ] as const)
      expect(parse(kind, text)).toEqual(new InvalidCell(kind.requirement));
  });
});

describe('labels as the State Bank of Pakistan writes them', () => {
  /** Spellings of each label, separated by `|`. */
  const SPELLINGS: readonly (readonly [PeriodKind, string, string])[] = [
    [
      annual,
      '2023-24',
      `2023-24 (P) | 2023-24P | 2023–24 | 2023/24 | FY2023-24 | FY 2023-24 (R) | FY23-24`,
    ],
    [annual, 'FY24', 'FY24P | FY24 (P) | FY 24 | fy24 | FY-24 | FY24 (P) **'],
    [annual, '2024', '2024 (R) | 2024 (Provisional) | 2024*'],
    [annual, '2022', '2022.0'],
    [annual, '1999-00', 'FY99-00'],
    [
      quarterly,
      'Q2 2024',
      `Q2-FY24 | Q2-FY24P | Q2 FY2024 | Q2 FY2023-24 | Q2FY24 | q2-fy24 (r) | 2QFY24
      | FY24 Q2 | FY2024-Q2 | FY24Q2 | FY 24, Q2 (P) | FY2023-24 Q2 | Q2 2023-24 | 2023-24 Q2
      | Q2-24 | Q2 '24 | Oct-Dec FY24 | Oct-Dec 2023-24 | Q2 2024 (P) | Q2\u00a02024`,
    ],
    [quarterly, 'Q4 1999', 'Q4-FY99'],
    [
      quarterly,
      'Q1 2024',
      `q1 2024 | 2024Q1 | 2024-Q1 | 2024 1Q | Q1-2024 | Q1/2024 | Q1, 2024* | 1Q24`,
    ],
    [quarterly, 'Q3 2024', 'Jan-Mar FY24'],
    [
      quarterly,
      'Q1 2023',
      `Jul 2022 - Sep 2022 | Jul-22 to Sep-22 | July to September 2022 | 2022M09 | Jul-Sep 22
      | Jul-Sep 2022 (P) | July-September 2022 | Jul – Sept, 2022 | 2022-07-01 | 2022-09-30
      | Sep-22`,
    ],
    [quarterly, 'Q2 2023', 'Oct-Dec 22 | 2022-12-31T00:00:00'],
    [quarterly, 'Q3 2023', 'Jan-Mar 2023'],
    [quarterly, 'Q4 2024', 'Apr-Jun 2024'],
    [quarterly, 'Q3 2007', '2007-03-31'],
    [
      monthly,
      'Jul 2022',
      `Jul-22 | Jul 22 | Jul '22 | Jul-2022 (P) | Jul-22R
      | 2022/07 | 2022M07 | 2022-M7 | 07/2022 | 7/2022 | 07-2022 | Jul, 2022 | Jul/2022
      | 2022-Jul* | JUL 2022 | 2022-07-01 | 2022-07-31 | 31-Jul-2022
      | 2022-07-31T00:00:00`,
    ],
    [monthly, 'Sep 2022', 'Sept 2022'],
    [monthly, 'Sep 1999', 'Sep-99'],
    [monthly, 'Feb 2024', '2024-02-29'],
  ];

  const CASES = SPELLINGS.flatMap(([kind, label, texts]) =>
    split(texts).map((text) => [kind.name, text, label, kind] as const),
  );

  test.each(CASES)('%s: %s is %s', (_, text, label, kind) => {
    expect(parse(kind, text, 'sbp')).toBe(label);
  });

  test('are no others for a month as ISO 8601 writes it', () => {
    expect(parse(monthly, '2022-07')).toBe('Jul 2022');
    expect(parse(monthly, '2022-13')).toBeInstanceOf(InvalidCell);
    expect(parse(quarterly, '2022-Q3')).toBeInstanceOf(InvalidCell);
  });

  test('are numbers of a spreadsheet if these are the first day of a period', () => {
    const year = createPeriodKind('year');
    expect([parse(monthly, '45658'), parse(monthly, 45_689)]).toEqual(['Jan 2025', 'Feb 2025']);
    expect([parse(year, '45658.0'), parse(year, '2025.0')]).toEqual(['2025', '2025']);
    expect(parse(monthly, '45670')).toEqual(
      new InvalidCell(
        'a month such as Jan 2024; as a number of a spreadsheet, 45670 is 2025-01-13, no first day of a month',
      ),
    );
  });

  test('are rejected without the period style, with the label they would become', () => {
    for (const [, text, label, kind] of CASES) {
      // The first day of a month is certain.
      if (kind === monthly && text.endsWith('-01')) {
        expect(parse(kind, text)).toBe(label);
        continue;
      }
      const advice = `with --periods sbp ${JSON.stringify(text)} becomes ${label}`;
      expect(parse(kind, text)).toEqual(new InvalidCell(`${kind.requirement}; ${advice}`));
    }
    expect(parse(quarterly, 'Q2-FY24')).toEqual(
      new InvalidCell('a quarter such as Q1 2024; with --periods sbp "Q2-FY24" becomes Q2 2024'),
    );
  });

  test.each([
    [
      annual,
      `2023-25 | FY2023-25 (P) | 24 | 23-24 | FY | FY1 | 2024-06-30 | H1-FY24 | P | *
      | 2022.5 | FY23-25`,
    ],
    [
      quarterly,
      `Q5-FY24 | Q0FY24 | FY24 | Q2-FY2023-25 | FY2023-25 Q2 | Q2 | Q2 23-24 | Q2 2
      | 3/2024`,
    ],
    [
      quarterly,
      `Aug-Oct 22 | Sep-Nov 22 | Jul-Aug 22 | Sep-Jul 22 | Jul-Sep | Foo-Sep 22
      | Oct-Dec 22-23 | Oct-Dec 2022-24 | Jul 2022 - Sep 2023 | Aug 2022 - Oct 2022
      | Jul 2022 - Aug 2022`,
    ],
    [quarterly, 'Aug-22 | 2022-08-01 | 2022-08-15 | 2022-09-15'],
    [
      monthly,
      `Jul | Juli 22 | Jul 222 | 2022-13 | 2022-00 | Jul FY24 | Jul-Sep 22 | 07/22
      | 13/2022 | 2022M13 | 2022M00 | 2022/7 | 2022.07`,
    ],
    [monthly, '03/04/2026 | 2022-02-29'],
  ])('$name: an unreadable label is rejected with the requirement alone: %j', (kind, texts) => {
    for (const text of split(texts)) {
      expect([text, parse(kind, text, 'sbp')]).toEqual([text, new InvalidCell(kind.requirement)]);
      expect([text, parse(kind, text)]).toEqual([text, new InvalidCell(kind.requirement)]);
    }
  });

  test('a day within a month is no month, because spreadsheets turn Jul-22 into 22 July', () => {
    expect(parse(monthly, '2026-07-22', 'sbp')).toEqual(new InvalidCell(monthly.requirement));
  });

  test('very long text is rejected at once', () => {
    expect(parse(monthly, `Jul${' '.repeat(1_000_000)}22`, 'sbp')).toEqual(
      new InvalidCell(monthly.requirement),
    );
  });
});

test('every quarter from July 1970 to June 2069 is read back from its number in the fiscal year, its months and their days', () => {
  const twoDigits = (year: number) => String(year % 100).padStart(2, '0');
  for (let year = 1971; year < 2070; year++) {
    for (const quarter of [1, 2, 3, 4]) {
      const calendarYear = quarter > 2 ? year : year - 1;
      const first = (6 + (quarter - 1) * 3) % 12;
      const months = `${MONTH_ABBREVIATIONS[first]}-${MONTH_ABBREVIATIONS[first + 2]}`;
      const start = `${calendarYear}-${String(first + 1).padStart(2, '0')}-01`;
      const spellings = [
        `Q${quarter}-FY${twoDigits(year)}`,
        `${quarter}QFY${year}`,
        `${months} ${twoDigits(calendarYear)}`,
        `${months} ${calendarYear} (P)`,
        start,
      ];
      const labels = spellings.map((spelling) => parse(quarterly, spelling, 'sbp'));
      expect(labels).toEqual(spellings.map(() => `Q${quarter} ${year}`));
    }
  }
});
