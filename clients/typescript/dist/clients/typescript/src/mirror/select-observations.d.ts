import type { MirrorRecord } from '../../../../src/client/mirror/restore-records.ts';
import { type PeriodKind } from './period.ts';
export interface ObservationFilters {
    /** First period, inclusive, such as `2026-01-31`, `Jan 2026` or `Q1 2026`, or a day in it. */
    readonly from?: string | undefined;
    /** Last period, inclusive. */
    readonly to?: string | undefined;
    /** `desc`, the default, for the newest period first. */
    readonly sort?: 'desc' | 'asc' | undefined;
}
/** A series: its first field is the period of a record. */
export interface SeriesForm {
    readonly name: string;
    readonly kind: PeriodKind;
    readonly dimensions: readonly string[];
}
/** Which months have records that are selected, and which of these are. */
export interface ObservationPlan {
    readonly isOldestFirst: boolean;
    readonly isSelected: (month: string) => boolean;
    /** Those of a month that are selected, in their order. */
    readonly select: (records: readonly MirrorRecord[]) => MirrorRecord[];
}
/** Throws a `TypeError` where a service would reject a parameter. */
export declare function planObservations({ kind, dimensions, name }: SeriesForm, { from, to, sort, ...values }: ObservationFilters & Readonly<Record<string, unknown>>): ObservationPlan;
