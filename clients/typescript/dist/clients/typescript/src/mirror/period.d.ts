import type { PERIOD_UNITS } from '../../../../src/client/generated.ts';
export type PeriodUnit = (typeof PERIOD_UNITS)[keyof typeof PERIOD_UNITS] | 'day' | 'week';
export interface PeriodKind {
    readonly unit: PeriodUnit;
    /** The month in which years begin; null where labels are as published, such as `FY24`. */
    readonly yearStart: number | null;
}
/** The number of a period among others of its kind; undefined if the text is no label of it. */
export declare function toOrdinal(label: string, kind: PeriodKind): number | undefined;
/** The same by `2024-01`, by `2024-Q1` of calendar years, or by a day in the period. */
export declare function parsePeriod(text: string, kind: PeriodKind): number | undefined;
/** The first and last month in which a period of this number may end, such as `2026-05`. */
export declare function listLastMonths(ordinal: number, kind: PeriodKind): readonly [string, string];
/** Fiscal years are named by the year in which they end, as their quarters are. */
export declare function isFiscal({ unit, yearStart }: PeriodKind): boolean;
