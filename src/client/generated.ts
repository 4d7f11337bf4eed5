// Made by `npm run docs` from the OpenAPI document of the service. Changes here are lost.

/** Bill and bond quotes. Daily quotes of government and corporate bills and bonds: the latest snapshot, one date, or a range of dates. Newest date first, then by symbol. */
export interface QuotesRecord {
  /** Date of the quote */
  readonly date: string;
  /** Exchange symbol or code of the security */
  readonly symbol: string;
  /** International securities identification number */
  readonly isin: string;
  /** Instrument type */
  readonly type: 'tbill' | 'bond' | 'corporate';
  /** Maturity date */
  readonly maturityDate: string;
  /** Years to maturity (years) */
  readonly maturityYears: number;
  /** Bid price, clean (per 100 of face value) */
  readonly bidPrice: number;
  /** Ask price, clean (per 100 of face value) */
  readonly askPrice: number;
  /** Last traded price (per 100 of face value) */
  readonly lastPrice: number;
  /** Volume available at the bid (face value) */
  readonly bidVolume: number;
  /** Volume available at the ask (face value) */
  readonly askVolume: number;
  /** Total trading volume (face value) */
  readonly volume: number;
  /** Yield to maturity (percent) */
  readonly ytm: number;
  /** Modified duration (years) */
  readonly duration: number;
}

/** Fund asset allocation. How a mutual fund divides its assets among classes, period by period, newest first. */
export interface FundAllocationRecord {
  /** Identifier of the fund */
  readonly fund_id: string;
  /** When the record was created */
  readonly created: string;
  /** When the record was last modified */
  readonly modified: string;
  /** Update frequency, for example monthly or quarterly */
  readonly frequency: string;
  /** Reporting periods, newest first */
  readonly periods: readonly {
    /** Period label */
    readonly label: string;
    /** Period end date */
    readonly date: string;
  }[];
  /** Asset classes */
  readonly rows: readonly {
    /** Asset class */
    readonly label: string;
    /** Share of assets; values[i] belongs to periods[i] (percent) */
    readonly values: readonly number[];
  }[];
}

/** ATM transactions, annual volume. How many transactions were made at ATMs in a year, by kind. */
export interface AtmTransactionsAnnualVolumeRecord {
  /** Year identifier */
  readonly year: string;
  /** Cash withdrawals (million transactions) */
  readonly atm_cash: number;
  /** Cash deposits (million transactions) */
  readonly atm_deposit: number;
  /** Deposits of payment instruments (million transactions) */
  readonly deposit_instrument: number;
  /** Account to account fund transfers (million transactions) */
  readonly funds_transfer: number;
  /** Utility bill payments (million transactions) */
  readonly utility_bills: number;
  /** Third-party account to account fund transfers (million transactions) */
  readonly funds_transfers: number;
  /** Total transactions (million transactions) */
  readonly total: number;
}

/** ATM transactions, quarterly value. What transactions at ATMs were worth in a quarter, by kind. */
export interface AtmTransactionsQuarterlyValueRecord {
  /** Quarter */
  readonly period: string;
  /** Cash withdrawal (PKR billion) */
  readonly cash_withdrawl: number;
  /** Intra-bank fund transfer (PKR billion) */
  readonly intra_bank: number;
  /** Inter-bank fund transfers (PKR billion) */
  readonly inter_bank: number;
  /** Utility bills payment (PKR billion) */
  readonly utility_bills: number;
  /** Cash / instrument deposits (PKR billion) */
  readonly cash_deposits: number;
  /** Total (PKR billion) */
  readonly total: number;
}

/** Branchless banking agents. How many agents offer branchless banking, nationally and by province. */
export interface BranchlessBankingAgentsRecord {
  /** Month */
  readonly period: string;
  /** Total agents (agents) */
  readonly total: number;
  /** Agents by province */
  readonly provinces: readonly {
    /** Province: punjab, sindh, kpk, balochistan */
    readonly key: string;
    /** Agents in the province (agents) */
    readonly value: number;
  }[];
}

/** Call centre / IVR banking transactions, annual value. What transactions through call centres and IVR banking were worth in a year, by kind. */
export interface IvrBankingAnnualValueRecord {
  /** Year identifier */
  readonly year: string;
  /** Total transactions value (PKR billion) */
  readonly total: number;
  /** Account to account fund transfers (PKR billion) */
  readonly funds_transfers: number;
  /** Third-party account to account fund transfers (PKR billion) */
  readonly funds_transfer: number;
  /** Payment through call centres (PKR billion) */
  readonly mobile_payment: number;
  /** Utility bill payments (PKR billion) */
  readonly utility_bills: number;
}

/** Mobile money accounts held by men. How many mobile money accounts are held by male users, nationally and by province. */
export interface MobileMoneyAccountsMaleRecord {
  /** Month */
  readonly period: string;
  /** Accounts held by male users, national total (accounts) */
  readonly national: number;
  /** Accounts held by male users, by province */
  readonly provinces: readonly {
    /** Province: punjab, sindh, kpk, balochistan */
    readonly key: string;
    /** Accounts held by male users in the province (accounts) */
    readonly value: number;
  }[];
}

/** Mobile money market share, by transaction value. Each operator’s share of the value of mobile money transactions in a month. */
export interface MobileMoneyMarketShareValueRecord {
  /** Month */
  readonly period: string;
  /** Shares by operator */
  readonly operators: readonly {
    /** Operator name, or others for the rest */
    readonly key: string;
    /** Share of transaction value: 0.3 means 30 % (fraction) */
    readonly value: number;
  }[];
}

/** Real-time online banking transactions, annual volume. How many real-time transactions were made at online branches in a year, by kind. */
export interface OnlineBankingAnnualVolumeRecord {
  /** Year identifier */
  readonly year: string;
  /** Cash withdrawal (million transactions) */
  readonly cash_wtl: number;
  /** Cash deposit (million transactions) */
  readonly cash_deposit: number;
  /** Account to account funds transfer (million transactions) */
  readonly funds_transfer: number;
  /** Total transactions (million transactions) */
  readonly total: number;
}

/** Licensed market players. How many institutions hold a licence in the payments market, by kind. */
export interface PaymentsMarketPlayersRecord {
  /** Year identifier */
  readonly year: string;
  /** Total licensed players (institutions) */
  readonly total: number;
  /** Banks (institutions) */
  readonly banks: number;
  /** Microfinance banks (institutions) */
  readonly mfbs: number;
  /** Digital banks (institutions) */
  readonly digitalbanks: number;
  /** Payment system operators / payment service providers (institutions) */
  readonly pso_psp: number;
  /** Electronic money institutions (institutions) */
  readonly emis: number;
}

/** POS transactions, quarterly volume. How many transactions were made at points of sale in a quarter, by kind of card. */
export interface PosTransactionsQuarterlyVolumeRecord {
  /** Quarter */
  readonly period: string;
  /** ATM (million transactions) */
  readonly atm: number;
  /** Debit card (million transactions) */
  readonly debit_cards: number;
  /** Credit cards (million transactions) */
  readonly credit_cards: number;
  /** Pre-paid cards (million transactions) */
  readonly prepaid_cards: number;
  /** Social welfare card (million transactions) */
  readonly socialwelfare_card: number;
}

/** Settlement-system transactions, by value. What the transactions settled in the large-value system were worth in a month, by kind. */
export interface SettlementTransactionsValueRecord {
  /** Month */
  readonly period: string;
  /** Government securities (PKR billion) */
  readonly govt_securities: number;
  /** Inter-bank fund transfers (PKR billion) */
  readonly ibft: number;
  /** Third-party customer transfers (PKR billion) */
  readonly third_party_transfer: number;
  /** Ancillary clearing settlement (PKR billion) */
  readonly ancillary_clearing: number;
}

/** Terms and names of securities. Reference data of securities, one record for each symbol: who issued it, when, and what coupons it pays. */
export interface SecuritiesReferenceRecord {
  /** Exchange symbol or code of the security */
  readonly symbol: string;
  /** International securities identification number; null if it is unknown */
  readonly isin: string | null;
  /** Name of the security; null if it is unknown */
  readonly name: string | null;
  /** Who issued it; null if it is unknown */
  readonly issuer: string | null;
  /** Day of issue; null if it is unknown */
  readonly issueDate: string | null;
  /** Coupon rate, a year; of a floater, the current one (percent); null if it is unknown */
  readonly couponRate: number | null;
  /** How often coupons are paid; of a zero, how often its yield is compounded (coupons a year); null if it is unknown */
  readonly couponFrequency: number | null;
  /** How it is priced: discount (at a simple yield), zero (without coupons, at a compounded yield), coupon, or bank-discount (at a discount rate of its face value); null if it is unknown */
  readonly pricing: 'discount' | 'zero' | 'coupon' | 'bank-discount' | null;
  /** Whether the coupon rate follows a reference rate; null if it is unknown */
  readonly floating: boolean | null;
  /** How days of interest are counted; null if it is unknown */
  readonly dayCount: 'ACT/ACT' | 'ACT/365' | 'ACT/360' | '30/360' | null;
  /** How many days before a coupon day its ex-dividend period begins (days); null if it is unknown */
  readonly exDividendDays: number | null;
  /** How many business days after a trade it is settled (days); null if it is unknown */
  readonly settlementDays: number | null;
  /** Name of the calendar, in any letter case; null if it is unknown */
  readonly calendar: string | null;
  /** Day of the first coupon; null if it is unknown */
  readonly firstCouponDate: string | null;
  /** Day of the last coupon before maturity; null if it is unknown */
  readonly lastCouponDate: string | null;
  /** Whether all coupon days are the last of their months if maturity, or the last coupon, is; null if it is unknown */
  readonly endOfMonth: boolean | null;
  /** Whether the yield is compounded or simple in the last period; null if it is unknown */
  readonly lastPeriodYield: 'compound' | 'simple' | null;
  /** The same of the time to the next coupon, in every period; null if it is unknown */
  readonly firstPeriodYield: 'compound' | 'simple' | null;
  /** equal: coupons are equal, and only interest in between is by dayCount; null if it is unknown */
  readonly accrual: 'equal' | null;
}

/** Names of funds. Reference data of funds, one record for each fund: its name, its category and who manages it. */
export interface FundsReferenceRecord {
  /** Identifier of the fund */
  readonly fund_id: string;
  /** Name of the fund; null if it is unknown */
  readonly name: string | null;
  /** Category of the fund, such as money market or equity; null if it is unknown */
  readonly category: string | null;
  /** Who manages it; null if it is unknown */
  readonly manager: string | null;
}

/** Public holidays. Days on which a market is closed, besides Saturdays and Sundays, one record for each calendar and day. */
export interface HolidaysReferenceRecord {
  /** Name of the calendar, in any letter case */
  readonly calendar: string;
  /** Day that is no business day */
  readonly date: string;
  /** Name of the holiday; null if it is unknown */
  readonly name: string | null;
}

/** Coupon rates of floaters. The coupon rates of securities whose terms say floating, one record for each security and day from which a rate holds. */
export interface CouponRatesReferenceRecord {
  /** Exchange symbol or code of the security */
  readonly symbol: string;
  /** Day from which the rate holds: that of the coupon before */
  readonly from: string;
  /** Coupon rate, a year (percent) */
  readonly rate: number;
}

/** Declarations of datasets. The datasets that the publisher has declared, one record for each. */
export interface DatasetsReferenceRecord {
  /** Name of the dataset */
  readonly name: string;
  /** Title for people */
  readonly title: string;
  /** What a record holds; null if it is unknown */
  readonly description: string | null;
  /** Caveats for users of the figures; null if it is unknown */
  readonly notes: readonly string[] | null;
  /** Who publishes the figures, and where; null if it is unknown */
  readonly source: string | null;
  /** Terms of use; null if it is unknown */
  readonly licence: string | null;
  /** The scope that a token needs; datasets by default; null if it is unknown */
  readonly scope: string | null;
  /** The period of a record */
  readonly period: {
    /** Weeks are those of ISO 8601 */
    readonly kind: 'day' | 'week' | 'month' | 'quarter' | 'year';
    /** The field with the label of the period */
    readonly field: string;
    /** The month in which years begin; if it is not 1, they are named by the year in which they end */
    readonly yearStart?: number | undefined;
  };
  /** With the period, the key of a record; null if it is unknown */
  readonly dimensions: readonly {
    /** Name of the field, and of the parameter that selects values */
    readonly field: string;
    /** Title for people */
    readonly title: string;
    /** The known values with their labels; any text without it */
    readonly codes?: Readonly<Record<string, unknown>> | undefined;
    /** Whether another value is a problem instead of a warning */
    readonly codesStrict?: boolean | undefined;
  }[] | null;
  /** The figures of a record */
  readonly measures: readonly {
    /** Name of the field */
    readonly field: string;
    /** Title for people */
    readonly title: string;
    /** Unit of the figures, such as percent or PKR billion */
    readonly unit: string;
    /** Currency of the figures by ISO 4217 */
    readonly currency?: string | undefined;
    /** The factor by which figures are in the unit: with 1000000, people read "million US dollars" of US dollars */
    readonly scale?: number | undefined;
    /** How many decimals figures have */
    readonly decimals?: number | undefined;
    /** By default, a flow is aggregated by sum, a stock by last, a rate and an index by mean */
    readonly kind: 'flow' | 'stock' | 'rate' | 'index';
    /** Whether null is a problem */
    readonly required?: boolean | undefined;
  }[];
  /** Rules whose violation is a warning; null if it is unknown */
  readonly checks: readonly {
    /** Measures that add up */
    readonly sum?: readonly string[] | undefined;
    /** The measure that they add up to */
    readonly equals?: string | undefined;
    /** By default, what rounding each figure to one decimal makes */
    readonly tolerance?: number | undefined;
    /** A measure that the other members limit */
    readonly field?: string | undefined;
    /** The least plausible figure */
    readonly min?: number | undefined;
    /** The largest plausible figure */
    readonly max?: number | undefined;
    /** A measure that it is not above */
    readonly atMost?: string | undefined;
    /** The largest plausible change since the period before of the same dimension values, in percent */
    readonly maxChange?: number | undefined;
    /** In how many periods after the first the figure may stay the same */
    readonly maxUnchanged?: number | undefined;
  }[] | null;
  /** When data is due; null if it is unknown */
  readonly schedule: {
    /** How often data is published */
    readonly cadence: 'daily' | 'weekly' | 'monthly' | 'quarterly' | 'annual';
    /** The usual delay after the end of a period: business days if it is daily, else days */
    readonly delayDays: number;
    /** How many such days later data is late */
    readonly toleranceDays: number;
    /** Instants of coming releases, if they are known: a period is then due at the one that is nearest to its usual one */
    readonly dates?: readonly string[] | undefined;
  } | null;
  /** The measures that are drawn; null if it is unknown */
  readonly chart: readonly string[] | null;
  /** Whether records have a status; null if it is unknown */
  readonly status: boolean | null;
  /** The dataset whose place it takes; null if it is unknown */
  readonly supersedes: string | null;
  /** Whether each period should have the dimension values of the period before; stable by default; null if it is unknown */
  readonly coverage: 'stable' | 'open' | null;
}

/** Transformed record. With `frequency` or `units`: the fields of the record, whose measures are null if they cannot be computed */
export interface TransformedRecord {
  /** If it is aggregated: how many of its periods have a figure */
  readonly observed?: number | undefined;
  /** If it is aggregated: how many should have one */
  readonly expected?: number | undefined;
}

/** Every dataset that the token may read: fields, units, notes, consistency checks, default chart, parameters, coverage, last revision, and when the next data is due. In other formats than JSON and NDJSON a dataset is a row, and a list is JSON in its cell. */
export interface CatalogueRecord {
  /** Name of the dataset, in commands and exports */
  readonly name: string;
  /** Title for people */
  readonly title: string;
  /** Description of the records and their order */
  readonly meaning: string;
  /** Caveats for users of the figures */
  readonly notes: readonly string[];
  /** The scope that a token needs */
  readonly scope: string;
  /** Path of the operation */
  readonly path: string;
  /** Other paths with the same responses */
  readonly aliases: readonly string[];
  /** How it is queried: quotes by security and date, a fund by its id, a series as a whole, or by period and dimension values if it has such parameters, reference data as a part of a list */
  readonly shape: string;
  /** The period of each record; null if records have no labelled period */
  readonly period: {
    /** The field with the label of the period */
    readonly field: string;
    readonly kind: 'annual' | 'quarterly' | 'monthly' | 'weekly' | 'daily';
  } | null;
  /** When data is published; null if it has no schedule */
  readonly schedule: {
    /** How often data is published. daily: for every business day, Monday to Friday; by-fund: as often as the frequency of a fund says; else for every period of that kind */
    readonly cadence: 'daily' | 'monthly' | 'quarterly' | 'annual' | 'by-fund' | 'weekly';
    /** The usual delay after the end of a period, in days; if the cadence is daily, in business days */
    readonly delayDays: number;
    /** How many days (business days) after the usual delay it counts as late: publishers vary, and holidays are not known */
    readonly toleranceDays: number;
    /** Announced instants of releases; absent if there are none */
    readonly dates?: readonly string[] | undefined;
  } | null;
  /** Its query parameters */
  readonly parameters: readonly {
    /** Name of the parameter */
    readonly name: string;
    /** Description of the parameter */
    readonly meaning: string;
    /** Which values are valid: what follows "must be" */
    readonly rule: string;
    /** Whether it is required */
    readonly required: boolean;
    /** Which values are valid, as a JSON Schema */
    readonly schema: Readonly<Record<string, unknown>>;
    /** A valid value */
    readonly example: string;
  }[];
  /** The fields of a record, in their order */
  readonly fields: readonly {
    /** Name of the field */
    readonly name: string;
    /** Kind of value, such as price, percent, count or day */
    readonly kind: string;
    readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
    /** Description of the field in this dataset */
    readonly meaning: string;
    /** Unit of a figure; null for other values */
    readonly unit: string | null;
    /** How many decimals figures have; null if that is not declared */
    readonly decimals: number | null;
    /** The possible values; null if any value is possible */
    readonly values: readonly string[] | null;
    /** The fields of each element; null if the field is no list of objects */
    readonly fields: readonly {
      /** Name of the field */
      readonly name: string;
      /** Kind of value, such as price, percent, count or day */
      readonly kind: string;
      readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
      /** Description of the field in this dataset */
      readonly meaning: string;
      /** Unit of a figure; null for other values */
      readonly unit: string | null;
      /** How many decimals figures have; null if that is not declared */
      readonly decimals: number | null;
      /** The possible values; null if any value is possible */
      readonly values: readonly string[] | null;
      /** Always null: lists are not nested */
      readonly fields: null;
      /** The known values with their labels, in the order of the declaration; null if none are declared */
      readonly codes: readonly {
        /** The code */
        readonly value: string;
        /** Its label */
        readonly label: string;
      }[] | null;
    }[] | null;
    /** The known values with their labels, in the order of the declaration; null if none are declared */
    readonly codes: readonly {
      /** The code */
      readonly value: string;
      /** Its label */
      readonly label: string;
    }[] | null;
  }[];
  /** The default chart; null if there is nothing to plot */
  readonly chart: {
    /** How it is drawn by default. stacked: the fields are components of a total, stacked; lines: each field is a line; shares: the list's values are shares of 100 %; multiples: each key of the list has a small chart of its own; curve: the second field is drawn against the first */
    readonly kind: 'stacked' | 'lines' | 'shares' | 'multiples' | 'curve';
    /** The fields that are drawn, in this order */
    readonly fields: readonly string[];
    /** The field with the total; null if there is none */
    readonly total: string | null;
  } | null;
  /** Consistency checks of each record; loading a record that violates one gives a warning */
  readonly checks: readonly {
    /** Name of the violation */
    readonly name:
      | 'parts-off-total' | 'shares-off-one' | 'list-above-total' | 'rows-off-100'
      | 'figure-above-other' | 'bid-above-ask';
    /** The rule that a record should satisfy */
    readonly rule: string;
    /** The field that a warning names */
    readonly field: string;
    /** The other fields that are compared */
    readonly others: readonly string[];
  }[];
  /** The formats of responses */
  readonly formats: readonly {
    /** Short name of the format */
    readonly name: string;
    /** The value of `Accept` that requests it */
    readonly mediaType: string;
    /** Extension of its files */
    readonly extension: string;
    /** Description of the format */
    readonly meaning: string;
  }[];
  /** The files of the complete dataset */
  readonly exports: readonly {
    /** Short name of the format */
    readonly format: string;
    /** Path of the file */
    readonly path: string;
  }[];
  /** Path of its data by SDMX; null if it is no series */
  readonly sdmx: string | null;
  /** The fields that identify a record */
  readonly key: readonly string[];
  readonly coverage: {
    /** First date or period; null if it is empty */
    readonly first: string | null;
    /** Last date or period; null if it is empty */
    readonly last: string | null;
    /** Number of records */
    readonly count: number;
  };
  /** The last revision that changed it; null if there was none */
  readonly lastRevision: {
    /** Number of the revision */
    readonly revision: number;
    /** Time of publication */
    readonly publishedAt: string;
    /** Where the data came from */
    readonly source: string;
    /** Whether the data is sample data */
    readonly sample: boolean;
  } | null;
  /** What is published next, by announced instants, or by the cadence and the newest data; null if nothing is awaited: it is empty, its last revision is made-up sample data, or the frequency of its funds is not known */
  readonly nextDue: {
    /** Label of the period, or its last day */
    readonly period: string;
    /** From this instant on it is due: it is announced, or the usual delay has passed */
    readonly dueAt: string;
    /** From this instant on it is late: the tolerance has passed, too */
    readonly lateAt: string;
  } | null;
  /** The month in which the years of its quarters and years begin; null if the source does not say, and of other periods */
  readonly yearStart: number | null;
  /** Who publishes the figures, and where; null if the declaration does not say */
  readonly source: string | null;
  /** Terms of use: those of the declaration, or else the licences of the loads that it is made of; null if a load has none */
  readonly licence: string | null;
}

/** Every security ever quoted, matured ones included, and every one that reference data describes, by symbol. ISIN, type and maturity are those of its newest quote; type, maturity and both dates are null if it was never quoted. What follows them is reference data, null if unknown. `q` finds parts of symbols, ISINs and names. */
export interface SecuritiesRecord extends SecuritiesReferenceRecord {
  /** Instrument type; null if it is unknown */
  readonly type: 'tbill' | 'bond' | 'corporate' | null;
  /** Maturity date; null if it is unknown */
  readonly maturityDate: string | null;
  /** First date that it was quoted on; null if it is unknown */
  readonly firstDate: string | null;
  /** Last date that it was quoted on; null if it is unknown */
  readonly lastDate: string | null;
}

/** Every fund, by identifier, with its first and last reporting period, then reference data, null if unknown. A fund that is known by reference data alone has no frequency and no periods: they are null. `q` finds parts of identifiers and names. */
export interface FundsRecord extends FundsReferenceRecord {
  /** Update frequency, for example monthly or quarterly; null if it is unknown */
  readonly frequency: string | null;
  /** First reporting period; null if it has none */
  readonly firstPeriod: {
    /** Period label */
    readonly label: string;
    /** Period end date */
    readonly date: string;
  } | null;
  /** Last reporting period; null if it has none */
  readonly lastPeriod: {
    /** Period label */
    readonly label: string;
    /** Period end date */
    readonly date: string;
  } | null;
}

/** The curve of government or corporate paper on up to 12 dates, or through time, newest first: `yield` is fitted to quoted yields; `zero`, `par`, `forward` and `discountFactor` come from a discount function fitted to dirty prices, with errors weighted by duration, and are null if the terms of too few securities are known. Floaters are left out, and outliers. Nothing is given beyond the longest or below the shortest maturity quoted. A date without quotes has a curve of nulls. With `from` or `to`, the curves of each day with quotes of the market, or with `every` of the last such day of each week, month or quarter, in pages of `limit` dates. In CSV, Arrow, Parquet and XLSX there is a row for each date and tenor, without `parameters`, `leftOut`, `usedSymbols` and `reason`; NDJSON with `fields` has the points with those that are theirs. */
export interface CurveRecord {
  /** Date of the quotes */
  readonly date: string;
  /** Whose paper the curve is of */
  readonly market: 'government' | 'corporate';
  /** How the discount function was fitted to dirty prices: svensson, or nelson-siegel to fewer than 20 securities. nelson-siegel-yields: the terms of too few securities are known, so there is only the curve of yields. not-converged: no best discount function was found. null: too few quotes for any curve */
  readonly method: 'svensson' | 'nelson-siegel' | 'nelson-siegel-yields' | 'not-converged' | null;
  /** Of the curve that method names: zero rates compounded continuously, or yields as quoted; null if there is none */
  readonly parameters: {
    /** Level (percent) */
    readonly beta0: number;
    /** Slope (percent) */
    readonly beta1: number;
    /** Hump (percent) */
    readonly beta2: number;
    /** Second hump (percent); null if the method is not svensson */
    readonly beta3: number | null;
    /** Decay of slope and hump (years) */
    readonly tau1: number;
    /** Decay of the second hump (years); null if the method is not svensson */
    readonly tau2: number | null;
  } | null;
  /** Root mean square of the yield errors of the securities used (basis points); null if there is no curve */
  readonly rmse: number | null;
  /** How many securities the curve was fitted to */
  readonly used: number;
  /** The securities of the market that it was not fitted to, by symbol; no fit: it could have been, if there were a curve; not issued: not yet on the settlement day of the curve */
  readonly leftOut: readonly {
    /** Symbol of the security */
    readonly symbol: string;
    readonly reason:
      | 'floating' | 'matured' | 'no fit' | 'no price' | 'no terms' | 'no yield' | 'not issued'
      | 'outlier';
  }[];
  /** A point for each tenor, in the order of the request */
  readonly points: readonly {
    /** Time to maturity, as requested, in capital letters */
    readonly tenor: string;
    /** The same in years, actual/365 */
    readonly years: number;
    /** Yield on the curve fitted to quoted yields, as they are quoted (percent); null outside of the maturities quoted, and if there is no such curve */
    readonly yield: number | null;
    /** Zero rate, compounded twice a year (percent); null outside of the maturities quoted, and if there is no such curve */
    readonly zero: number | null;
    /** Par rate, compounded twice a year (percent); null outside of the maturities quoted, and if there is no such curve */
    readonly par: number | null;
    /** Instantaneous forward rate, compounded continuously (percent); null outside of the maturities quoted, and if there is no such curve */
    readonly forward: number | null;
    /** What 1 at that time is worth on the settlement day; null if zero is */
    readonly discountFactor: number | null;
  }[];
  /** The securities that the curve was fitted to, sorted; every other one of the market is in leftOut */
  readonly usedSymbols: readonly string[];
  /** Version of the method that curves are fitted by: that of a later release may give other figures */
  readonly fit: number;
  /** Why there is no curve, or no discount function, such as "4 maturities; a fit needs 5"; null if there is one */
  readonly reason: string | null;
}

/** What follows from the quotes of a security, of several, or of a whole market on one date: accrued interest, dirty price, yield, durations, convexity, price change for a basis point, the spread over the government curve, carry and roll-down over a horizon, and the Z-spread. With `symbol`, one date, a range of dates, or by default the newest quote of each; newest first. Without it, every security of `date`, of a range of dates, or of the newest date, by symbol. Of a floater, only the price, the quoted yield and duration, and the spread are given, and if `coupon-rates` has its current rate, accrued interest, dirty price and discount margin, and the yield if none is quoted. */
export interface AnalyticsRecord {
  /** Date of the quote */
  readonly date: string;
  /** Symbol of the security */
  readonly symbol: string;
  /** When a trade of that date settles: by the terms of the security, else on the day that maturityYears count from, else on the next weekday, which is a business day if a calendar is named; on the day of issue at the earliest */
  readonly settlementDate: string;
  /** Last price, else the middle of bid and ask, else the one side that has an order (per 100 of face value); null if it cannot be known */
  readonly cleanPrice: number | null;
  /** Interest since the last coupon day, or since issue (per 100 of face value); null if it cannot be known */
  readonly accrued: number | null;
  /** Clean price and accrued interest (per 100 of face value); null if it cannot be known */
  readonly dirtyPrice: number | null;
  /** Yield to maturity at that price (percent): compounded as often as coupons are paid, twice a year for zeros, simple for discount paper; as quoted if the terms are not known; null if it cannot be known */
  readonly ytm: number | null;
  /** Macaulay duration (years); null if it cannot be known */
  readonly macaulayDuration: number | null;
  /** Modified duration (years); as quoted if the terms are not known; null if it cannot be known */
  readonly modifiedDuration: number | null;
  /** Second derivative of price by yield, over price (years squared); null if it cannot be known */
  readonly convexity: number | null;
  /** Price change of 100 of face value for one basis point; null if it cannot be known */
  readonly dv01: number | null;
  /** Yield over the fitted government yield of that day at the same maturityYears (basis points); null if it cannot be known */
  readonly spread: number | null;
  /** What holding it to the horizon gives over its financing if its yield stays as it is: value then and coupons, less the dirty price with interest (percent of the dirty price); null if it cannot be known */
  readonly carry: number | null;
  /** What it gives besides if the government curve stays as it is, so that its yield changes by the difference of the curve between both maturities (percent of the dirty price); null if it cannot be known */
  readonly rollDown: number | null;
  /** Spread over the zero rates of the government curve that gives the dirty price, compounded twice a year (basis points); null if it cannot be known */
  readonly zSpread: number | null;
  /** Version of the method that curves are fitted by: that of a later release may give other figures */
  readonly fit: number;
  /** Of a floater: yield at the dirty price if its current rate stays, over the zero rate of the government curve for one coupon period, both compounded as often as coupons are paid (basis points); null if it cannot be known */
  readonly discountMargin: number | null;
  /** ISIN of the security */
  readonly isin: string;
  /** Instrument type */
  readonly type: 'tbill' | 'bond' | 'corporate';
  /** Name of the security; null if it is not known */
  readonly name: string | null;
  /** Maturity date */
  readonly maturityDate: string;
  /** Coupon rate by the terms (percent); of a floater, the one of coupon-rates on that day, else the current one; null if it cannot be known */
  readonly couponRate: number | null;
}

/** What securities pay after the settlement of their quotes on a date, or of the newest quote of each, in the order of the quotes and then of the days: coupons by its terms, which are not moved to business days, and the principal. A coupon that belongs to the seller is left out. Without terms, and of a floater, only the principal is known. One that is not quoted on that date, or has matured, has none. */
export interface CashflowsRecord {
  /** Day of the payment */
  readonly date: string;
  /** Interest; null if the terms are not known, or of a floater (per 100 of face value) */
  readonly coupon: number | null;
  /** Principal (per 100 of face value) */
  readonly principal: number;
  /** Both together; null if the coupon is (per 100 of face value) */
  readonly amount: number | null;
  /** From settlement, actual/365 */
  readonly years: number;
  /** What 1 at that time is worth on the settlement day, by the government curve of the date, whose fit is its version; null without one, and beyond the longest maturity quoted */
  readonly discountFactor: number | null;
  /** Amount times discount factor; null if one of them is (per 100 of face value) */
  readonly presentValue: number | null;
  /** Symbol of the security */
  readonly symbol: string;
  /** ISIN of the security */
  readonly isin: string;
  /** Instrument type */
  readonly type: 'tbill' | 'bond' | 'corporate';
  /** Name of the security; null if it is not known */
  readonly name: string | null;
  /** Maturity date */
  readonly maturityDate: string;
  /** Coupon rate by the terms (percent); of a floater, the one of coupon-rates on that day, else the current one; null if it cannot be known */
  readonly couponRate: number | null;
}

/** The figures of securities at a clean price, a yield or a Z-spread that the request gives, one for all or one for each, in the order of the symbols; without any of the three, at its quoted price. They are settled, and compared with the government curve, as the newest quote of each up to `date` is. A figure that such a price does not have is null. The yield of a floater is computed, at its current rate. */
export interface PriceRecord extends AnalyticsRecord {}

/** Market value, accrued interest, yield, durations, key-rate durations and convexity of positions, and their values under parallel shifts of the government curve by full revaluation, with the Z-spread of each held; a record for each position, in the order of the request, and then the total. Each is valued at its newest quote up to `date`, or up to the newest date with quotes. What cannot be valued has a `reason`, and is in no total. In CSV, Arrow, Parquet and XLSX there is a column for each tenor and shift. */
export interface PortfolioRecord {
  /** The total follows the positions */
  readonly kind: 'position' | 'total';
  /** Symbol of the security, or the text of the request if it is not quoted; null in the total */
  readonly symbol: string | null;
  /** ISIN of the security, if it is quoted; null in the total */
  readonly isin: string | null;
  /** Name of the security, if it is known; null in the total */
  readonly name: string | null;
  /** Date of the quote that it is valued at; in the total, the newest of them */
  readonly date: string | null;
  /** Face value; in the total, of all positions that have a value */
  readonly face: number;
  /** Clean price (per 100 of face value); null if it cannot be known */
  readonly cleanPrice: number | null;
  /** Face value × dirty price / 100: with accrued interest (face value); null if it cannot be known */
  readonly marketValue: number | null;
  /** Accrued interest of the face value (face value); null if it cannot be known */
  readonly accrued: number | null;
  /** Yield to maturity; in the total, the mean by market value (percent); null if it cannot be known */
  readonly yield: number | null;
  /** Modified duration; in the total, the mean by market value (years); null if it cannot be known */
  readonly modifiedDuration: number | null;
  /** Fall of the market value for a basis point of its yield (face value); null if it cannot be known */
  readonly dv01: number | null;
  /** Convexity; in the total, the mean by market value (years squared); null if it cannot be known */
  readonly convexity: number | null;
  /** Minus the relative change of value for a basis point of all zero rates, which the key-rate durations add up to (years); null if it cannot be known */
  readonly effectiveDuration: number | null;
  /** Minus the relative change of value for a basis point of the zero rate at a tenor (years); each is null if it cannot be known */
  readonly keyRates: Readonly<Record<string, unknown>>;
  /** Market value if every zero rate changes by so many basis points (face value); each is null if it cannot be known */
  readonly values: Readonly<Record<string, unknown>>;
  /** Why it has no value, and is not in the total, or with no curve no value at other rates: not quoted, matured, no price, no terms, no rate, no figures, no curve; null if it has one. In the total, how many positions it is without */
  readonly reason: string | null;
  /** Version of the method that curves are fitted by: that of a later release may give other figures */
  readonly fit: number;
}

/** Figures of several datasets in one table: a row for each period in which any column has a record, newest first, a column for each figure, null if it has none, all of one revision. A column is the name of a dataset, a point, a measure, a value of each dimension in parentheses, after `@` one of the names of `aggregate`, and after a colon one of the codes of `units`: `atm-transactions-quarterly-value.total:pc1,analytics.zSpread(symbol=Z05PIB151029),curve.par(tenor=10Y)@mean:chg`. Columns of finer periods than those of the table are aggregated first: by default flows and volumes by their sum, stocks, prices, yields, figures of securities and the curve by the last figure, rates and indexes by their mean; a period that is not complete is null. `Tenor-Units` has the unit of each column. The scope of every column is needed. */
export interface AlignedRecord {
  /** Label of the period */
  readonly period: string;
}

/** When each dataset is released next: the period that is due, and the instants that are announced. Open to all; a token of its scope also gets its last releases, when they were due, and how many of its series the newest period has. A release is a revision with a period that is newer than all before. With `format=ics` it is a calendar of what is to come. */
export interface ReleasesRecord {
  /** Name of the dataset */
  readonly dataset: string;
  /** Title for people */
  readonly title: string;
  /** What is published next, by announced instants, or by the cadence and the newest data; null if nothing is awaited: it is empty, its last revision is made-up sample data, or the frequency of its funds is not known */
  readonly nextDue: {
    /** Label of the period, or its last day */
    readonly period: string;
    /** From this instant on it is due: it is announced, or the usual delay has passed */
    readonly dueAt: string;
    /** From this instant on it is late: the tolerance has passed, too */
    readonly lateAt: string;
  } | null;
  /** Announced instants that are to come: from that of the next period on, the earliest first */
  readonly dates: readonly string[];
  /** The last releases, newest first; null without a token of the scope */
  readonly releases: readonly {
    /** Label of the newest period, or its last day; null if no record was left */
    readonly period: string | null;
    /** Number of the revision */
    readonly revision: number;
    /** When it was published */
    readonly publishedAt: string;
    /** When it was due; null if nothing was awaited */
    readonly dueAt: string | null;
  }[] | null;
  /** Null without a token of the scope, and if series may come and go */
  readonly series: {
    /** How many series have a record of the newest period */
    readonly present: number;
    /** How many have one of the period before */
    readonly expected: number;
  } | null;
}

/** What was published, corrected and retired, when, by whom and from what source, in the datasets that the token may read. Newest first. */
export interface RevisionsRecord {
  /** Number of the revision */
  readonly revision: number;
  /** Name of the dataset that it changed */
  readonly dataset: string;
  /** Time of publication */
  readonly publishedAt: string;
  /** Where the data came from */
  readonly source: string;
  /** The files that it was loaded from */
  readonly files: readonly {
    /** Name of the file */
    readonly name: string;
    /** Size of the file */
    readonly bytes: number;
    /** SHA-256 of the file, in hexadecimal */
    readonly sha256: string;
  }[];
  /** Who published it */
  readonly author: string;
  /** Whether the data is sample data */
  readonly sample: boolean;
  /** Number of new records */
  readonly added: number;
  /** Number of records that replaced others with the same key */
  readonly corrected: number;
  /** Number of records that were removed */
  readonly retired: number;
  /** Number of records that were already there */
  readonly unchanged: number;
  /** What the publisher says of it; null if nothing */
  readonly note: string | null;
}

/** A revision with the report of its publication, the options that it was made with, and the records that it changed: first corrections and retirements, then additions. The counts are of all changes, beyond the limit too. */
export interface RevisionRecord extends RevisionsRecord {
  /** The stored report of the publication */
  readonly report: Readonly<Record<string, unknown>>;
  /** What it was made with beside its files: the mapping, the options, the adapter, the warning rules that were muted or refused, and in `release` its note */
  readonly options: Readonly<Record<string, unknown>>;
  /** Records before and after */
  readonly changes: readonly {
    readonly change: 'corrected' | 'retired' | 'added';
    /** The record before; null if it was added */
    readonly old:
      | QuotesRecord | FundAllocationRecord | AtmTransactionsAnnualVolumeRecord
      | AtmTransactionsQuarterlyValueRecord | BranchlessBankingAgentsRecord
      | IvrBankingAnnualValueRecord | MobileMoneyAccountsMaleRecord
      | MobileMoneyMarketShareValueRecord | OnlineBankingAnnualVolumeRecord
      | PaymentsMarketPlayersRecord | PosTransactionsQuarterlyVolumeRecord
      | SettlementTransactionsValueRecord | SecuritiesReferenceRecord | FundsReferenceRecord
      | HolidaysReferenceRecord | CouponRatesReferenceRecord | DatasetsReferenceRecord | null;
    /** The record after; null if it was retired */
    readonly new:
      | QuotesRecord | FundAllocationRecord | AtmTransactionsAnnualVolumeRecord
      | AtmTransactionsQuarterlyValueRecord | BranchlessBankingAgentsRecord
      | IvrBankingAnnualValueRecord | MobileMoneyAccountsMaleRecord
      | MobileMoneyMarketShareValueRecord | OnlineBankingAnnualVolumeRecord
      | PaymentsMarketPlayersRecord | PosTransactionsQuarterlyVolumeRecord
      | SettlementTransactionsValueRecord | SecuritiesReferenceRecord | FundsReferenceRecord
      | HolidaysReferenceRecord | CouponRatesReferenceRecord | DatasetsReferenceRecord | null;
  }[];
}

/** Every correction and retirement in a dataset: the old record, the new one, the revision and its time. Newest revision first, then in the order of the dataset. Additions are not included. In other formats than JSON and NDJSON the old record is a row and the new one the next: the columns `revision`, `publishedAt`, `change` and `version` (`old` or `new`), then those of the export, or those that `fields` names. */
export interface CorrectionsRecord {
  /** Number of the revision */
  readonly revision: number;
  /** Time of publication */
  readonly publishedAt: string;
  readonly change: 'corrected' | 'retired';
  /** The record before */
  readonly old:
    | QuotesRecord | FundAllocationRecord | AtmTransactionsAnnualVolumeRecord
    | AtmTransactionsQuarterlyValueRecord | BranchlessBankingAgentsRecord
    | IvrBankingAnnualValueRecord | MobileMoneyAccountsMaleRecord
    | MobileMoneyMarketShareValueRecord | OnlineBankingAnnualVolumeRecord
    | PaymentsMarketPlayersRecord | PosTransactionsQuarterlyVolumeRecord
    | SettlementTransactionsValueRecord | SecuritiesReferenceRecord | FundsReferenceRecord
    | HolidaysReferenceRecord | CouponRatesReferenceRecord | DatasetsReferenceRecord;
  /** The record after; null if it was retired */
  readonly new:
    | QuotesRecord | FundAllocationRecord | AtmTransactionsAnnualVolumeRecord
    | AtmTransactionsQuarterlyValueRecord | BranchlessBankingAgentsRecord
    | IvrBankingAnnualValueRecord | MobileMoneyAccountsMaleRecord
    | MobileMoneyMarketShareValueRecord | OnlineBankingAnnualVolumeRecord
    | PaymentsMarketPlayersRecord | PosTransactionsQuarterlyVolumeRecord
    | SettlementTransactionsValueRecord | SecuritiesReferenceRecord | FundsReferenceRecord
    | HolidaysReferenceRecord | CouponRatesReferenceRecord | DatasetsReferenceRecord | null;
}

/** What must be done to a copy of revision `since` to have the newest one, or revision `until`: records to add, to put in the place of the one with the same key, and to delete, in the order of the dataset. A record that changed several times comes once; one that is as it was does not come. All pages are of one revision, which is in `Tenor-Revision`: the next `since`. If `Tenor-Since-Published-At` is not what `Tenor-Published-At` was with that revision, the database is another one: begin with `since=0`. In JSON and NDJSON the `status` of a record of a series follows it, by the code list of SDMX (`P` provisional, `E` estimated), unless it is `A`, normal, or the record has a field of that name. In other formats than JSON and NDJSON the first column is `change`, and the others are those of the export, or those that `fields` names. With `as_of` or `Accept-Datetime`, that revision is the newest one. */
export interface ChangesRecord {
  readonly change: 'added' | 'corrected' | 'retired';
  /** The record after the change; if it was retired, as the copy has it */
  readonly record:
    | QuotesRecord | FundAllocationRecord | AtmTransactionsAnnualVolumeRecord
    | AtmTransactionsQuarterlyValueRecord | BranchlessBankingAgentsRecord
    | IvrBankingAnnualValueRecord | MobileMoneyAccountsMaleRecord
    | MobileMoneyMarketShareValueRecord | OnlineBankingAnnualVolumeRecord
    | PaymentsMarketPlayersRecord | PosTransactionsQuarterlyVolumeRecord
    | SettlementTransactionsValueRecord | SecuritiesReferenceRecord | FundsReferenceRecord
    | HolidaysReferenceRecord | CouponRatesReferenceRecord | DatasetsReferenceRecord;
  /** Of a series, if it is not A */
  readonly status?:
    | 'A' | 'B' | 'D' | 'E' | 'F' | 'G' | 'H' | 'I' | 'J' | 'K' | 'L' | 'M' | 'N' | 'O' | 'P' | 'Q'
    | 'S' | 'U' | 'V' | 'W' | undefined;
}

/** Every published state of the records that match, in the order of the dataset, then by `since`: the record, and from when until when it was valid. Without a filter, of all records. A record that was retired and published again has two states. A series has its `status` after the record. The filters are those of the dataset, each dimension of a series included. With `as_of` or `Accept-Datetime`, what came later is hidden. In other formats than JSON and NDJSON the columns are those of the export, or those that `fields` names, then these four. */
export interface VintagesRecord {
  /** The revision that published this state of the record */
  readonly since: number;
  /** When that revision was published */
  readonly published: string;
  /** The revision that corrected or retired it; null while it is valid */
  readonly until: number | null;
  /** When that revision was published; null while it is valid */
  readonly withdrawn: string | null;
}

/** The hashes that lead from the entry of a revision to the root of a checkpoint, and with `from` those that show that the log of that size is a part of it (RFC 6962). */
export interface LedgerProofRecord {
  /** Number of the revision */
  readonly revision: number;
  /** The checkpoint that the proofs lead to, a signed note */
  readonly checkpoint: string;
  /** SHA-256 of the entry of the revision, in base64 */
  readonly entry: string;
  /** Hashes in base64 */
  readonly inclusion: readonly string[];
  /** Size of the earlier log */
  readonly from?: number | undefined;
  /** Hashes in base64 */
  readonly consistency?: readonly string[] | undefined;
}

/** The keys that have signed checkpoints, oldest first. Each but the first has a note that the key before it has signed, unless that was lost: it names the key, and the size of the log from which it signs. A key of another name begins a new log; the size is then the last that both have in common. */
export interface LedgerKeysRecord {
  /** Name of the log */
  readonly origin: string;
  /** The verifier key of the newest checkpoint: name+id+key */
  readonly key: string;
  /** All keys, oldest first */
  readonly keys: readonly {
    /** The verifier key */
    readonly key: string;
    /** The size of the log from which it signs */
    readonly size: number;
    /** Signed by the key before it */
    readonly note: string | null;
  }[];
}

/** What a server needs that follows this one (`FOLLOW`), so that clients can go from one to the other: the key that signs cursors, the keys that verify signed links, and, for a token that was made by `tenor token create … --may-follow-tokens`, all tokens and links, as digests of secrets that are 256 random bits. Their scopes are limited to those of that token; links that need more are left out. `API_TOKEN` is not among them, since it may be guessed by its digest; nor are subjects of single sign-on, who get 403 here. A holder of the first key can make cursors, and with them gets nothing that its token may not read; nothing else can be signed with what is here. */
export interface SharedKeysRecord {
  /** Signs cursors, in base64url */
  readonly cursorKey: string;
  /** Verify signed links: public keys of Ed25519, in base64url */
  readonly linkKeys: readonly string[];
  /** Tokens and links; absent without that right */
  readonly tokens?: readonly Readonly<Record<string, unknown>>[] | undefined;
}

/** Signs an address for that target and this token, until it expires: for spreadsheets, frames and colleagues. It ends with its token, needs the scopes of the token at each use, and draws on its rate. Nothing is stored, so that it cannot be revoked alone. Only tokens that may share can sign (`tenor token create --may-share`); subjects of single sign-on cannot. */
export interface LinkSignatureRecord {
  /** Path of the address on this server */
  readonly address: string;
  /** Until when it serves */
  readonly expires: string;
}

export interface AsOfParameters {
  /** Requests the response as of that revision or instant, as the header Accept-Datetime does, and wins over it. By the number of a revision, the data never changes. Must be the number of a revision, a calendar day as YYYY-MM-DD, which means its end in UTC, or an ISO 8601 instant with Z or an offset such as 2026-11-15T04:30:00.250Z. */
  readonly as_of?: string | undefined;
}

export interface QuotesParameters extends AsOfParameters {
  /** Symbols or ISINs of securities; letter case is ignored. Without a date, the newest quote of each. Must be at most 50 symbols or ISINs, separated by commas, and without space around each. */
  readonly symbol?: string | readonly string[] | undefined;
  /** One date; not together with from or to. Without any of the three, the newest date. Must be a calendar day as YYYY-MM-DD. */
  readonly date?: string | undefined;
  /** First date of a range, inclusive; open-ended without to. Must be a calendar day as YYYY-MM-DD. */
  readonly from?: string | undefined;
  /** Last date of a range, inclusive; open-ended without from. Must be a calendar day as YYYY-MM-DD. */
  readonly to?: string | undefined;
  /** Only this instrument type; all is no filter. Must be one of tbill, bond, corporate, all. Default: all. */
  readonly type?: 'tbill' | 'bond' | 'corporate' | 'all' | undefined;
  /** Order of a range: desc is newest date first, then by symbol; asc is the reverse, and needs from or to. Must be one of desc, asc. Default: desc. */
  readonly sort?: 'desc' | 'asc' | undefined;
  /** Maximum number of records to return. Must be a whole number from 1 to 10000, in plain digits. Default: 100. */
  readonly limit?: number | undefined;
  /** Continues after the last record of a response, with the same parameters: see its Link. Must be text that is not empty. */
  readonly cursor?: string | undefined;
  /** Orders the rows of the page by this field, with a minus before it from the greatest to the least. For every format but JSON. Must be one of date, -date, symbol, -symbol, isin, -isin, type, -type, maturityDate, -maturityDate, maturityYears, -maturityYears, bidPrice, -bidPrice, askPrice, -askPrice, lastPrice, -lastPrice, bidVolume, -bidVolume, askVolume, -askVolume, volume, -volume, ytm, -ytm, duration, -duration, spread, -spread, ytmChange, -ytmChange, lastPriceChange, -lastPriceChange. */
  readonly order?:
    | 'date' | '-date' | 'symbol' | '-symbol' | 'isin' | '-isin' | 'type' | '-type'
    | 'maturityDate' | '-maturityDate' | 'maturityYears' | '-maturityYears' | 'bidPrice'
    | '-bidPrice' | 'askPrice' | '-askPrice' | 'lastPrice' | '-lastPrice' | 'bidVolume'
    | '-bidVolume' | 'askVolume' | '-askVolume' | 'volume' | '-volume' | 'ytm' | '-ytm'
    | 'duration' | '-duration' | 'spread' | '-spread' | 'ytmChange' | '-ytmChange'
    | 'lastPriceChange' | '-lastPriceChange' | undefined;
  /** Adds how yields and last prices have changed since that date. For every format but JSON. Must be a calendar day as YYYY-MM-DD. */
  readonly compare?: string | undefined;
  /** Only these fields, in the order of the records. For every format but JSON, whose bodies always have all of them. Must be names separated by commas, each once, of date, symbol, isin, type, maturityDate, maturityYears, bidPrice, askPrice, lastPrice, bidVolume, askVolume, volume, ytm, duration, spread, ytmChange, lastPriceChange. */
  readonly fields?: string | readonly string[] | undefined;
}

export interface FundAllocationParameters extends AsOfParameters {
  /** Identifier of the fund; letter case is ignored. Must be text that is not empty. */
  readonly fund_id: string;
}

export interface AtmTransactionsAnnualVolumeParameters extends AsOfParameters {}

export interface AtmTransactionsQuarterlyValueParameters extends AsOfParameters {}

export interface BranchlessBankingAgentsParameters extends AsOfParameters {}

export interface IvrBankingAnnualValueParameters extends AsOfParameters {}

export interface MobileMoneyAccountsMaleParameters extends AsOfParameters {}

export interface MobileMoneyMarketShareValueParameters extends AsOfParameters {}

export interface OnlineBankingAnnualVolumeParameters extends AsOfParameters {}

export interface PaymentsMarketPlayersParameters extends AsOfParameters {}

export interface PosTransactionsQuarterlyVolumeParameters extends AsOfParameters {}

export interface SettlementTransactionsValueParameters extends AsOfParameters {}

export interface CatalogueParameters extends AsOfParameters {
  /** Maximum number of datasets to return. Must be a whole number from 1 to 10000, in plain digits. Default: 100. */
  readonly limit?: number | undefined;
  /** Continues after the last record of a response, with the same parameters: see its Link. Must be text that is not empty. */
  readonly cursor?: string | undefined;
  /** Only these fields, in the order of the records. For every format but JSON, whose bodies always have all of them. Must be names separated by commas, each once, of name, title, meaning, notes, scope, path, aliases, shape, period, schedule, parameters, fields, chart, checks, formats, exports, sdmx, key, coverage, lastRevision, nextDue, yearStart, source, licence. */
  readonly fields?: string | readonly string[] | undefined;
}

export interface SecuritiesParameters extends AsOfParameters {
  /** Only those with this text in an identifier or in the name; letter case and accents are ignored. Must be text that is not empty. */
  readonly q?: string | undefined;
  /** Maximum number of records to return; all of them without it. Must be a whole number from 1 to 10000, in plain digits. */
  readonly limit?: number | undefined;
  /** Continues after the last record of a response, with the same parameters: see its Link. Must be text that is not empty. */
  readonly cursor?: string | undefined;
  /** Only these fields, in the order of the records. For every format but JSON, whose bodies always have all of them. Must be names separated by commas, each once, of symbol, isin, type, maturityDate, firstDate, lastDate, name, issuer, issueDate, couponRate, couponFrequency, pricing, floating, dayCount, exDividendDays, settlementDays, calendar, firstCouponDate, lastCouponDate, endOfMonth, lastPeriodYield, firstPeriodYield, accrual. */
  readonly fields?: string | readonly string[] | undefined;
}

export interface FundsParameters extends AsOfParameters {
  /** Only those with this text in an identifier or in the name; letter case and accents are ignored. Must be text that is not empty. */
  readonly q?: string | undefined;
  /** Maximum number of records to return; all of them without it. Must be a whole number from 1 to 10000, in plain digits. */
  readonly limit?: number | undefined;
  /** Continues after the last record of a response, with the same parameters: see its Link. Must be text that is not empty. */
  readonly cursor?: string | undefined;
  /** Only these fields, in the order of the records. For every format but JSON, whose bodies always have all of them. Must be names separated by commas, each once, of fund_id, frequency, firstPeriod, lastPeriod, name, category, manager. */
  readonly fields?: string | readonly string[] | undefined;
}

export interface CurveParameters extends AsOfParameters {
  /** Up to 12 dates, separated by commas; the newest date with quotes of the market by default. Must be a calendar day as YYYY-MM-DD, or up to 12 of them separated by commas. */
  readonly date?: string | readonly string[] | undefined;
  /** First date of a history, inclusive; not together with date. Must be a calendar day as YYYY-MM-DD, or 2026-04 or 2026 for its first day. */
  readonly from?: string | undefined;
  /** Last date of a history, inclusive; not together with date. Must be a calendar day as YYYY-MM-DD, or 2026-04 or 2026 for its last day. */
  readonly to?: string | undefined;
  /** With from or to: each day with quotes of the market, or the last one of each week, month or quarter. Must be one of day, week, month, quarter. Default: day. */
  readonly every?: 'day' | 'week' | 'month' | 'quarter' | undefined;
  /** With from or to: maximum number of dates to return, by default 100. Must be a whole number from 1 to 1000, in plain digits. */
  readonly limit?: number | undefined;
  /** Continues after the last record of a response, with the same parameters: see its Link. Must be text that is not empty. */
  readonly cursor?: string | undefined;
  /** Whose paper. Must be one of government, corporate. Default: government. */
  readonly market?: 'government' | 'corporate' | undefined;
  /** Up to 100 times to maturity, in days (D), weeks (W), months (M) or years (Y). Must be up to 100 tenors such as 3M,1Y,10Y: whole days (D), weeks (W), months (M) or years (Y), up to 100 years. Default: 1M,3M,6M,1Y,2Y,3Y,5Y,7Y,10Y,15Y,20Y,30Y. */
  readonly tenors?: string | readonly string[] | undefined;
  /** Of every format but JSON: long has a row for each date and tenor, wide a row for each date and a column for each tenor. Must be one of long, wide. Default: long. */
  readonly shape?: 'long' | 'wide' | undefined;
  /** The figure of the columns, with shape=wide. Must be one of yield, zero, par, forward. Default: yield. */
  readonly rate?: 'yield' | 'zero' | 'par' | 'forward' | undefined;
  /** Only these fields, in the order of the records. For every format but JSON, whose bodies always have all of them. Must be names separated by commas, each once, of date, market, method, rmse, used, tenor, years, yield, zero, par, forward, discountFactor, fit. */
  readonly fields?: string | readonly string[] | undefined;
}

export interface AnalyticsParameters extends AsOfParameters {
  /** Symbols or ISINs of securities; letter case is ignored. Without it, every security. Must be at most 50 symbols or ISINs, separated by commas, and without space around each. */
  readonly symbol?: string | readonly string[] | undefined;
  /** One date; not together with from or to. Without any of the three, the newest date. Must be a calendar day as YYYY-MM-DD. */
  readonly date?: string | undefined;
  /** First date of a range, inclusive; open-ended without to. Must be a calendar day as YYYY-MM-DD, or 2026-04 or 2026 for its first day. */
  readonly from?: string | undefined;
  /** Last date of a range, inclusive; open-ended without from. Must be a calendar day as YYYY-MM-DD, or 2026-04 or 2026 for its last day. */
  readonly to?: string | undefined;
  /** Only this instrument type; all is no filter. Must be one of tbill, bond, corporate, all. Default: all. */
  readonly type?: 'tbill' | 'bond' | 'corporate' | 'all' | undefined;
  /** Only paper of the government, or of others. Must be one of government, corporate. */
  readonly market?: 'government' | 'corporate' | undefined;
  /** How long a security is held for carry and roll-down. Must be one of 1M, 3M, 6M, 1Y. Default: 3M. */
  readonly horizon?: '1M' | '3M' | '6M' | '1Y' | undefined;
  /** Rate of the financing for carry, in percent, simple; by default that of the government curve. Must be a rate in percent between -100 and 100 in plain decimals, such as 11.5. */
  readonly repo?: number | undefined;
  /** Order of a range: desc is newest date first, then by symbol; asc is the reverse, and needs from or to. Must be one of desc, asc. Default: desc. */
  readonly sort?: 'desc' | 'asc' | undefined;
  /** Maximum number of records to return. Must be a whole number from 1 to 10000, in plain digits. Default: 100. */
  readonly limit?: number | undefined;
  /** Continues after the last record of a response, with the same parameters: see its Link. Must be text that is not empty. */
  readonly cursor?: string | undefined;
  /** Only these fields, in the order of the records. For every format but JSON, whose bodies always have all of them. Must be names separated by commas, each once, of date, symbol, settlementDate, cleanPrice, accrued, dirtyPrice, ytm, macaulayDuration, modifiedDuration, convexity, dv01, spread, carry, rollDown, zSpread, fit, discountMargin, isin, type, name, maturityDate, couponRate. */
  readonly fields?: string | readonly string[] | undefined;
}

export interface CashflowsParameters extends AsOfParameters {
  /** Symbols or ISINs of securities; letter case is ignored. Must be at most 50 symbols or ISINs, separated by commas, and without space around each. */
  readonly symbol: string | readonly string[];
  /** Date of the quote; that of the newest one by default. Must be a calendar day as YYYY-MM-DD. */
  readonly date?: string | undefined;
  /** Only these fields, in the order of the records. For every format but JSON, whose bodies always have all of them. Must be names separated by commas, each once, of date, coupon, principal, amount, years, discountFactor, presentValue, symbol, isin, type, name, maturityDate, couponRate. */
  readonly fields?: string | readonly string[] | undefined;
}

export interface PriceParameters extends AsOfParameters {
  /** Symbols or ISINs of securities; letter case is ignored. One may come twice. Must be at most 50 symbols or ISINs, separated by commas, and without space around each. */
  readonly symbol: string | readonly string[];
  /** The newest quote of each security up to that date; by default its newest. Must be a calendar day as YYYY-MM-DD. */
  readonly date?: string | undefined;
  /** Clean price (per 100 of face value): one for all symbols, or one for each, separated by commas. Must be a number in plain decimals, such as 95.5, or one for each symbol, separated by commas. */
  readonly price?: string | readonly string[] | undefined;
  /** Yield to maturity (percent), as ytm: one for all symbols, or one for each, separated by commas. Must be a number in plain decimals, such as 11.25, or one for each symbol, separated by commas. */
  readonly yield?: string | readonly string[] | undefined;
  /** Spread over the zero rates of the government curve (basis points), as zSpread: one for all symbols, or one for each, separated by commas. Must be a number in plain decimals, such as 25, or one for each symbol, separated by commas. */
  readonly spread?: string | readonly string[] | undefined;
  /** How long a security is held for carry and roll-down. Must be one of 1M, 3M, 6M, 1Y. Default: 3M. */
  readonly horizon?: '1M' | '3M' | '6M' | '1Y' | undefined;
  /** Rate of the financing for carry, in percent, simple; by default that of the government curve. Must be a rate in percent between -100 and 100 in plain decimals, such as 11.5. */
  readonly repo?: number | undefined;
  /** Only these fields, in the order of the records. For every format but JSON, whose bodies always have all of them. Must be names separated by commas, each once, of date, symbol, settlementDate, cleanPrice, accrued, dirtyPrice, ytm, macaulayDuration, modifiedDuration, convexity, dv01, spread, carry, rollDown, zSpread, fit, discountMargin, isin, type, name, maturityDate, couponRate. */
  readonly fields?: string | readonly string[] | undefined;
}

export interface PortfolioParameters extends AsOfParameters {
  /** Up to 200 symbols or ISINs, each with its face value after a colon; a negative one is a short position. One may come twice. Must be up to 200 positions SYMBOL:FACE, separated by commas, such as ZZ12TB031226:5000000, each face in plain decimals. */
  readonly positions: string | readonly string[];
  /** The newest quotes up to that date. Must be a calendar day as YYYY-MM-DD. */
  readonly date?: string | undefined;
  /** Up to 12 parallel shifts of the zero rates (basis points); without any, there are no values. Must be up to 12 numbers of basis points from -10000 to 10000, separated by commas. */
  readonly shift?: string | readonly string[] | undefined;
  /** Tenors of the key-rate durations. Must be up to 30 different tenors such as 6M,1Y,10Y: whole days (D), weeks (W), months (M) or years (Y). Default: 1Y,2Y,5Y,10Y,20Y. */
  readonly key_rates?: string | readonly string[] | undefined;
  /** Only these fields, in the order of the records. For every format but JSON, whose bodies always have all of them. Must be names separated by commas, each once, of kind, symbol, isin, name, date, face, cleanPrice, marketValue, accrued, yield, modifiedDuration, dv01, convexity, effectiveDuration, keyRates, values, reason, fit. */
  readonly fields?: string | readonly string[] | undefined;
}

export interface AlignedParameters extends AsOfParameters {
  /** Up to 40 columns: the name of a dataset, curve or analytics, a point, a measure, a value of each dimension, after @ what becomes of the figures of a coarser period, and after a colon how they are transformed. In values, ( ) , : @ % are percent-encoded twice. Must be up to 40 columns such as atm-transactions-quarterly-value.total:pc1, quotes.ytm(symbol=…), analytics.zSpread(symbol=…) or curve.par(tenor=10Y)@mean, separated by commas. */
  readonly columns: string | readonly string[];
  /** Periods of the table; the coarsest of the columns by default. Must be one of day, week, month, quarter, year. */
  readonly frequency?: 'day' | 'week' | 'month' | 'quarter' | 'year' | undefined;
  /** The month in which the years of the table begin; by default that of the columns, or January. Must be a whole number from 1 to 12, in plain digits. */
  readonly year_start?: number | undefined;
  /** First period, inclusive: a period of the table, a finer one, or a day in it. Must be text that is not empty. */
  readonly from?: string | undefined;
  /** Last period, inclusive: a period of the table, a finer one, or a day in it. Must be text that is not empty. */
  readonly to?: string | undefined;
  /** Whether the status of each figure follows it, as `<column>.status`. Must be one of true, false. Default: false. */
  readonly status?: 'true' | 'false' | undefined;
  /** Whether the number of figures that each was computed from follows it, as `<column>.observed`. Must be one of true, false. Default: false. */
  readonly observed?: 'true' | 'false' | undefined;
  /** The share of the expected figures that is enough for a mean, a first, last, least or greatest one; all of them by default. Must be a share from 0 to 1 in plain decimals, such as 0.8. */
  readonly min_share?: number | undefined;
  /** Whether the period that is not over yet is given too, by the figures that there are so far. Must be one of true, false. Default: false. */
  readonly partial?: 'true' | 'false' | undefined;
  /** Names of the columns: as they are requested, or plain, of letters, digits and underscores alone. Must be one of requested, plain. Default: requested. */
  readonly names?: 'requested' | 'plain' | undefined;
  /** Order of periods: desc for the newest first, asc for the oldest first. Must be one of desc, asc. Default: desc. */
  readonly sort?: 'desc' | 'asc' | undefined;
  /** Maximum number of rows to return. Must be a whole number from 1 to 10000, in plain digits. Default: 10000. */
  readonly limit?: number | undefined;
  /** Continues after the last record of a response, with the same parameters: see its Link. Must be text that is not empty. */
  readonly cursor?: string | undefined;
}

export interface RevisionsParameters {
  /** Only revisions of that dataset. Must be one of quotes, fund-allocation, atm-transactions-annual-volume, atm-transactions-quarterly-value, branchless-banking-agents, ivr-banking-annual-value, mobile-money-accounts-male, mobile-money-market-share-value, online-banking-annual-volume, payments-market-players, pos-transactions-quarterly-volume, settlement-transactions-value, securities, funds, holidays, coupon-rates, datasets. */
  readonly dataset?: AnyDatasetName | undefined;
  /** Only revisions with a smaller number than this. Must be a whole number from 1 to 9007199254740991, in plain digits. */
  readonly before?: number | undefined;
  /** Maximum number of revisions to return. Must be a whole number from 1 to 10000, in plain digits. Default: 100. */
  readonly limit?: number | undefined;
  /** Continues after the last record of a response, with the same parameters: see its Link. Must be text that is not empty. */
  readonly cursor?: string | undefined;
}

export interface RevisionParameters {
  /** Maximum number of changes to return. Must be a whole number from 1 to 10000, in plain digits. Default: 100. */
  readonly limit?: number | undefined;
  /** Continues after the last record of a response, with the same parameters: see its Link. Must be text that is not empty. */
  readonly cursor?: string | undefined;
}

export interface CorrectionsParameters extends RevisionParameters {
  /** For quotes and securities: symbols of securities, or for quotes the ISINs that the records had; letter case is ignored. Must be at most 50 symbols or ISINs, separated by commas, and without space around each. */
  readonly symbol?: string | readonly string[] | undefined;
  /** For quotes: first date of the records, inclusive. Must be a calendar day as YYYY-MM-DD, or 2026-04 or 2026 for its first day. */
  readonly from?: string | undefined;
  /** For quotes: last date of the records, inclusive. Must be a calendar day as YYYY-MM-DD, or 2026-04 or 2026 for its last day. */
  readonly to?: string | undefined;
  /** For fund-allocation and funds: identifier of one fund; letter case is ignored. Must be text that is not empty. */
  readonly fund_id?: string | undefined;
  /** Only changes by revisions with a smaller number than this. Must be a whole number from 1 to 9007199254740991, in plain digits. */
  readonly before?: number | undefined;
  /** Only these fields, in the order of the records. For every format but JSON, whose bodies always have all of them. Must be names of fields of the dataset, separated by commas, each once; not for fund-allocation, whose table has no fields of its records. */
  readonly fields?: string | readonly string[] | undefined;
  /** Requests the response as of that revision or instant, as the header Accept-Datetime does, and wins over it. By the number of a revision, the data never changes. Must be the number of a revision, a calendar day as YYYY-MM-DD, which means its end in UTC, or an ISO 8601 instant with Z or an offset such as 2026-11-15T04:30:00.250Z. */
  readonly as_of?: string | undefined;
}

export interface ChangesParameters extends RevisionParameters {
  /** The revision that the copy has; with 0, every record is added. Must be the number of a revision, or 0 for none, in plain digits. */
  readonly since: number;
  /** The revision that the changes lead to; the newest one by default. Must be the number of a revision, or 0 for none, in plain digits. */
  readonly until?: number | undefined;
  /** Whether records are as they were stored, without fields that were added later: the lines whose digests the ledger has. As JSON or NDJSON only. Must be one of true, false. Default: false. */
  readonly as_stored?: 'true' | 'false' | undefined;
  /** Only these fields, in the order of the records. For every format but JSON, whose bodies always have all of them. Must be names of fields of the dataset, separated by commas, each once; not for fund-allocation, whose table has no fields of its records. */
  readonly fields?: string | readonly string[] | undefined;
  /** Requests the response as of that revision or instant, as the header Accept-Datetime does, and wins over it. By the number of a revision, the data never changes. Must be the number of a revision, a calendar day as YYYY-MM-DD, which means its end in UTC, or an ISO 8601 instant with Z or an offset such as 2026-11-15T04:30:00.250Z. */
  readonly as_of?: string | undefined;
}

export interface VintagesParameters extends AsOfParameters {
  /** For quotes and securities: symbols of securities, or for quotes the ISINs that the records had; letter case is ignored. Must be at most 50 symbols or ISINs, separated by commas, and without space around each. */
  readonly symbol?: string | readonly string[] | undefined;
  /** For quotes: one date; not together with from or to. Must be a calendar day as YYYY-MM-DD. */
  readonly date?: string | undefined;
  /** For quotes and series: first date or period, inclusive. Must be text that is not empty. */
  readonly from?: string | undefined;
  /** For quotes and series: last date or period, inclusive. Must be text that is not empty. */
  readonly to?: string | undefined;
  /** Only this instrument type; all is no filter. Must be one of tbill, bond, corporate, all. Default: all. */
  readonly type?: 'tbill' | 'bond' | 'corporate' | 'all' | undefined;
  /** Order of a range: desc is newest date first, then by symbol; asc is the reverse, and needs from or to. Must be one of desc, asc. Default: desc. */
  readonly sort?: 'desc' | 'asc' | undefined;
  /** Maximum number of states to return. Must be a whole number from 1 to 10000, in plain digits. Default: 10000. */
  readonly limit?: number | undefined;
  /** Continues after the last record of a response, with the same parameters: see its Link. Must be text that is not empty. */
  readonly cursor?: string | undefined;
  /** Only these fields, in the order of the records. For every format but JSON, whose bodies always have all of them. Must be names of fields of the dataset, separated by commas, each once; not for fund-allocation, whose table has no fields of its records. */
  readonly fields?: string | readonly string[] | undefined;
  /** For fund-allocation and funds: identifier of one fund; letter case is ignored. Must be text that is not empty. */
  readonly fund_id?: string | undefined;
  /** Name of one calendar. Must be text that is not empty. */
  readonly calendar?: string | undefined;
  /** For datasets: name of one dataset. Must be text that is not empty. */
  readonly name?: string | undefined;
  /** With first, only the first of all states of each record, if it matches. Must be first. */
  readonly release?: 'first' | undefined;
}

export interface LedgerProofParameters {
  /** Size of an earlier log, up to that of the checkpoint. Must be a whole number from 1 to 9007199254740991, in plain digits. */
  readonly from?: number | undefined;
}

export interface LinkSignatureParameters {
  /** A request for data, as `tenor link create` takes it. Must be path and query of a request, percent-encoded as one value. */
  readonly target: string;
  /** How long the address serves; never longer than the token is valid. Must be a time such as 90d, 12h or 30min, up to 3650d. */
  readonly expires: string;
}

export interface TransformParameters {
  /** Periods to aggregate into, which must be coarser than those of the dataset */
  readonly frequency?: 'week' | 'month' | 'quarter' | 'year' | undefined;
  /** The month in which the years of the result begin, with frequency quarter or year; by default as those of the dataset do */
  readonly year_start?: number | undefined;
  /** What becomes of the figures of a period, with frequency; by default the sum of flows, the last of stocks, the mean of rates and indexes. If some are missing, the result is null, unless min_share allows it */
  readonly aggregate?: 'sum' | 'mean' | 'first' | 'last' | 'min' | 'max' | undefined;
  /** The share of the expected figures that is enough for a mean, a first, last, least or greatest one; all of them by default */
  readonly min_share?: number | undefined;
  /** Whether the period that is not over yet is given too, by the figures that there are so far */
  readonly partial?: 'true' | 'false' | undefined;
  /** Units of the figures: lin as published, chg change, ch1 change from a year ago, pch percent change, pc1 percent change from a year ago, pca compounded annual rate of change, cch continuously compounded rate of change, cca continuously compounded annual rate of change, log natural logarithm */
  readonly units?:
    | 'lin' | 'chg' | 'ch1' | 'pch' | 'pc1' | 'pca' | 'cch' | 'cca' | 'log' | undefined;
}

export type NoParameters = Readonly<Record<never, never>>;

interface Operation<Parameters, Data> {
  readonly parameters: Parameters;
  readonly data: Data;
}

/** The parameters and data of each operation. */
export interface Operations {
  readonly quotes: Operation<QuotesParameters, readonly QuotesRecord[]>;
  readonly 'fund-allocation': Operation<FundAllocationParameters, FundAllocationRecord>;
  readonly 'atm-transactions-annual-volume': Operation<AtmTransactionsAnnualVolumeParameters, readonly AtmTransactionsAnnualVolumeRecord[]>;
  readonly 'atm-transactions-quarterly-value': Operation<AtmTransactionsQuarterlyValueParameters, readonly AtmTransactionsQuarterlyValueRecord[]>;
  readonly 'branchless-banking-agents': Operation<BranchlessBankingAgentsParameters, readonly BranchlessBankingAgentsRecord[]>;
  readonly 'ivr-banking-annual-value': Operation<IvrBankingAnnualValueParameters, readonly IvrBankingAnnualValueRecord[]>;
  readonly 'mobile-money-accounts-male': Operation<MobileMoneyAccountsMaleParameters, readonly MobileMoneyAccountsMaleRecord[]>;
  readonly 'mobile-money-market-share-value': Operation<MobileMoneyMarketShareValueParameters, readonly MobileMoneyMarketShareValueRecord[]>;
  readonly 'online-banking-annual-volume': Operation<OnlineBankingAnnualVolumeParameters, readonly OnlineBankingAnnualVolumeRecord[]>;
  readonly 'payments-market-players': Operation<PaymentsMarketPlayersParameters, readonly PaymentsMarketPlayersRecord[]>;
  readonly 'pos-transactions-quarterly-volume': Operation<PosTransactionsQuarterlyVolumeParameters, readonly PosTransactionsQuarterlyVolumeRecord[]>;
  readonly 'settlement-transactions-value': Operation<SettlementTransactionsValueParameters, readonly SettlementTransactionsValueRecord[]>;
  readonly catalogue: Operation<CatalogueParameters, readonly CatalogueRecord[]>;
  readonly securities: Operation<SecuritiesParameters, readonly SecuritiesRecord[]>;
  readonly funds: Operation<FundsParameters, readonly FundsRecord[]>;
  readonly curve: Operation<CurveParameters, readonly CurveRecord[]>;
  readonly analytics: Operation<AnalyticsParameters, readonly AnalyticsRecord[]>;
  readonly cashflows: Operation<CashflowsParameters, readonly CashflowsRecord[]>;
  readonly price: Operation<PriceParameters, readonly PriceRecord[]>;
  readonly portfolio: Operation<PortfolioParameters, readonly PortfolioRecord[]>;
  readonly aligned: Operation<AlignedParameters, readonly AlignedRecord[]>;
  readonly releases: Operation<NoParameters, readonly ReleasesRecord[]>;
  readonly revisions: Operation<RevisionsParameters, readonly RevisionsRecord[]>;
  readonly revision: Operation<RevisionParameters, RevisionRecord>;
  readonly corrections: Operation<CorrectionsParameters, readonly CorrectionsRecord[]>;
  readonly changes: Operation<ChangesParameters, readonly ChangesRecord[]>;
  readonly vintages: Operation<VintagesParameters, readonly VintagesRecord[]>;
  readonly 'ledger-proof': Operation<LedgerProofParameters, LedgerProofRecord>;
  readonly 'ledger-keys': Operation<NoParameters, LedgerKeysRecord>;
  readonly 'shared-keys': Operation<NoParameters, SharedKeysRecord>;
  readonly 'link-signature': Operation<LinkSignatureParameters, LinkSignatureRecord>;
}

/** The path of each operation. */
export const PATHS = {
  quotes: '/2.0/bnb/quote',
  'fund-allocation': '/3.0/funds/allocation',
  'atm-transactions-annual-volume': '/3.0/alternate/atm-transactions-annual-volume',
  'atm-transactions-quarterly-value': '/3.0/alternate/atm-transactions-quarterly-value',
  'branchless-banking-agents': '/3.0/alternate/branchless-banking-agents',
  'ivr-banking-annual-value': '/3.0/alternate/ivr-banking-annual-value',
  'mobile-money-accounts-male': '/3.0/alternate/mobile-money-accounts-male',
  'mobile-money-market-share-value': '/3.0/alternate/mobile-money-market-share-value',
  'online-banking-annual-volume': '/3.0/alternate/online-banking-annual-volume',
  'payments-market-players': '/3.0/alternate/payments-market-players',
  'pos-transactions-quarterly-volume': '/3.0/alternate/pos-transactions-quarterly-volume',
  'settlement-transactions-value': '/3.0/alternate/settlement-transactions-value',
  catalogue: '/catalogue',
  securities: '/2.0/bnb/securities',
  funds: '/3.0/funds',
  curve: '/2.0/bnb/curve',
  analytics: '/2.0/bnb/analytics',
  cashflows: '/2.0/bnb/cashflows',
  price: '/2.0/bnb/price',
  portfolio: '/2.0/bnb/portfolio',
  aligned: '/aligned',
  releases: '/releases',
  revisions: '/revisions',
  revision: '/revisions/{n}',
  corrections: '/corrections/{dataset}',
  changes: '/changes/{dataset}',
  vintages: '/vintages/{dataset}',
  'ledger-proof': '/ledger/proof/{n}',
  'ledger-keys': '/ledger/keys',
  'shared-keys': '/follow',
  'link-signature': '/links/sign',
} as const satisfies Readonly<Record<keyof Operations, string>>;

/** The statistical series. */
export const SERIES = [
  'atm-transactions-annual-volume',
  'atm-transactions-quarterly-value',
  'branchless-banking-agents',
  'ivr-banking-annual-value',
  'mobile-money-accounts-male',
  'mobile-money-market-share-value',
  'online-banking-annual-volume',
  'payments-market-players',
  'pos-transactions-quarterly-volume',
  'settlement-transactions-value',
] as const;

export type SeriesName = (typeof SERIES)[number];

/** Every dataset: the series are among them. */
export type DatasetName = 'quotes' | 'fund-allocation' | 'securities' | 'funds' | 'holidays' | 'coupon-rates' | 'datasets' | SeriesName;

/** A dataset that ships with the service, or any that its publisher has declared. */
export type AnyDatasetName = DatasetName | (string & Record<never, never>);

/** Every operation with formats other than JSON. */
export const TABLES = [
  'quotes',
  'fund-allocation',
  'catalogue',
  'securities',
  'funds',
  'curve',
  'analytics',
  'cashflows',
  'price',
  'portfolio',
  'aligned',
  'releases',
  'corrections',
  'changes',
  'vintages',
  ...SERIES,
] as const;

export type TableName = (typeof TABLES)[number];

/** The media type of each format other than JSON. */
export const MEDIA_TYPES = {
  /** RFC 4180 with a header row; nested lists as columns such as `provinces.punjab` */
  csv: 'text/csv',
  /** A record on each line, as JSON */
  ndjson: 'application/x-ndjson',
  /** An Arrow IPC stream; columns as in CSV, with types */
  arrow: 'application/vnd.apache.arrow.stream',
  /** A Parquet file; columns as in CSV, with types */
  parquet: 'application/vnd.apache.parquet',
  /** An Excel workbook: a sheet with columns as in CSV, dates and numbers as such, and the sheet About with the request, the revision and the unit of each column */
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

/** A response format other than JSON. */
export type Format = keyof typeof MEDIA_TYPES;

/** The path of complete datasets. */
export const EXPORTS = '/exports/{file}';

/** A format of complete datasets. */
export type ExportFormat = 'csv' | 'ndjson' | 'parquet';

/** The fields that identify records, and their order, if each record is one row. */
export const RECORD_ORDERS = {
  quotes: [['date', 'descending'], ['symbol', 'ascending']],
  securities: [['symbol', 'folded']],
  funds: [['fund_id', 'folded']],
  holidays: [['calendar', 'folded'], ['date', 'ascending']],
  'coupon-rates': [['symbol', 'folded'], ['from', 'ascending']],
  datasets: [['name', 'folded']],
} as const;

/** The fields that are lists or objects, if each record is one row of a table. */
export const NESTED_FIELDS = {
  'branchless-banking-agents': ['provinces'],
  'mobile-money-accounts-male': ['provinces'],
  'mobile-money-market-share-value': ['operators'],
  datasets: ['notes', 'period', 'dimensions', 'measures', 'checks', 'schedule', 'chart'],
} as const;
