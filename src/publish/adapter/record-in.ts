import type { fundAllocation } from '../../catalogue/datasets/fund-allocation.ts';
import type { quotes } from '../../catalogue/datasets/quotes.ts';
import type { securities } from '../../catalogue/datasets/securities.ts';
import type { Dataset, DatasetRecord } from '../../catalogue/model/dataset.ts';
import type { KeyedValue } from '../../catalogue/model/field.ts';
import type { FileCell } from '../../formats/read-contents.ts';
import type { DerivedField } from '../derivation/derive-fields.ts';
import type { TERM_FIELDS } from '../mapping/field-targets.ts';

/**
 * A record as an adapter yields it. A field is given as the catalogue has it, or as a cell of the
 * file, which is converted and checked as those of a mapping are. Fields that may be blank can be
 * left out. Records of series may have a status as well: a code of SDMX, or a mark.
 */
export type RecordIn<D extends Dataset> = D extends typeof quotes
  ? QuoteIn
  : D extends typeof fundAllocation
    ? DatasetRecord<D> | FundRowIn
    : D extends typeof securities
      ? SecurityIn
      : FieldsIn<DatasetRecord<D>> & Partial<CellsFor<'status'>>;

/** Figures that are left out are computed; terms are published as those of the security. */
type QuoteIn = FieldsIn<Omit<DatasetRecord<typeof quotes>, DerivedField>> &
  Partial<CellsFor<DerivedField | keyof typeof TERM_FIELDS>>;

/** A security is named by its symbol, or by its ISIN. */
type SecurityIn = FieldsIn<Omit<DatasetRecord<typeof securities>, 'symbol'>> &
  Partial<CellsFor<'symbol'>>;

/** One class of a fund in one period, which a label or a date names. */
type FundRowIn = CellsFor<'fund_id' | 'class' | 'value'> &
  Partial<CellsFor<'period' | 'date' | 'created' | 'modified' | 'frequency'>>;

/** Fields with their values or cells; lists also as `list.key`, or as `list:key` and `list:value`. */
type FieldsIn<R> = {
  readonly [Name in RequiredName<R>]: ValueIn<R[Name]>;
} & {
  readonly [Name in Exclude<keyof R, RequiredName<R>>]?: ValueIn<R[Name]>;
} & {
  readonly [Key in `${ListName<R>}${'.' | ':'}${string}`]?: FileCell;
};

type RequiredName<R> = {
  [Name in keyof R]: null extends R[Name] ? never : Name extends ListName<R> ? never : Name;
}[keyof R];

type ListName<R> = {
  [Name in keyof R & string]: R[Name] extends readonly KeyedValue[] ? Name : never;
}[keyof R & string];

type ValueIn<T> = T extends readonly unknown[] ? T : T | FileCell;

type CellsFor<Name extends string> = { readonly [N in Name]: FileCell };
