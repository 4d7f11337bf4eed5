"""Records and operations, made by npm run docs from the catalogue. Changes here are lost."""

from __future__ import annotations

from typing import Dict, List, Literal, Optional, Tuple, TypedDict

__all__ = [
    'Aggregate',
    'AtmTransactionsAnnualVolume',
    'AtmTransactionsQuarterlyValue',
    'BranchlessBankingAgents',
    'BranchlessBankingAgentsProvince',
    'CouponRatesReference',
    'DatasetsReference',
    'ExportFormat',
    'Format',
    'Frequency',
    'FundsReference',
    'HolidaysReference',
    'IvrBankingAnnualValue',
    'MobileMoneyAccountsMale',
    'MobileMoneyAccountsMaleProvince',
    'MobileMoneyMarketShareValue',
    'MobileMoneyMarketShareValueOperator',
    'OnlineBankingAnnualVolume',
    'PaymentsMarketPlayers',
    'PosTransactionsQuarterlyVolume',
    'Quote',
    'SecuritiesReference',
    'SettlementTransactionsValue',
    'Units',
]

SERIES = (
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
)

Frequency = Literal['week', 'month', 'quarter', 'year']
"""Periods to aggregate into, which must be coarser than those of the dataset."""
Aggregate = Literal['sum', 'mean', 'first', 'last', 'min', 'max']
"""What becomes of the figures of a period, with frequency; by default the sum of flows, the last of stocks, the mean of rates and indexes. If some are missing, the result is null, unless min_share allows it."""
Units = Literal['lin', 'chg', 'ch1', 'pch', 'pc1', 'pca', 'cch', 'cca', 'log']
"""Units of the figures: lin as published, chg change, ch1 change from a year ago, pch percent change, pc1 percent change from a year ago, pca compounded annual rate of change, cch continuously compounded rate of change, cca continuously compounded annual rate of change, log natural logarithm."""

Format = Literal['csv', 'ndjson', 'arrow', 'parquet', 'xlsx']

ExportFormat = Literal['csv', 'ndjson', 'parquet']

PERIOD_KINDS: Dict[str, str] = {
    'day': 'day',
    'daily': 'day',
    'week': 'weekly',
    'weekly': 'weekly',
    'month': 'monthly',
    'monthly': 'monthly',
    'quarter': 'quarterly',
    'quarterly': 'quarterly',
    'year': 'annual',
    'annual': 'annual',
}

PANDAS_FREQUENCIES: Dict[str, str] = {
    'weekly': 'W-SUN',
    'monthly': 'M',
    'quarterly': 'Q',
    'annual': 'Y',
}

# The kinds whose years may begin in another month than January, which then follows: `annual 7`.
# The kind `period` is told by its labels.
FISCAL_KINDS = ('quarterly', 'annual', 'period')

PATHS: Dict[str, str] = {
    'quotes': '/2.0/bnb/quote',
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
    'catalogue': '/catalogue',
    'securities': '/2.0/bnb/securities',
    'funds': '/3.0/funds',
    'curve': '/2.0/bnb/curve',
    'analytics': '/2.0/bnb/analytics',
    'cashflows': '/2.0/bnb/cashflows',
    'price': '/2.0/bnb/price',
    'portfolio': '/2.0/bnb/portfolio',
    'aligned': '/aligned',
    'releases': '/releases',
    'revisions': '/revisions',
    'revision': '/revisions/{n}',
    'corrections': '/corrections/{dataset}',
    'changes': '/changes/{dataset}',
    'vintages': '/vintages/{dataset}',
    'ledger-proof': '/ledger/proof/{n}',
    'ledger-keys': '/ledger/keys',
    'shared-keys': '/follow',
    'link-signature': '/links/sign',
    'dataset': '/datasets/{dataset}',
    'series': '/3.0/alternate/{series}',
    'exports': '/exports/{dataset}.{format}',
}

# Operations of the ledger, which has no past.
TIMELESS = ('releases', 'revisions', 'revision', 'ledger-proof', 'ledger-keys', 'shared-keys', 'link-signature')

KEYS: Dict[str, Tuple[str, ...]] = {
    'quotes': ('date', 'symbol',),
    'fund-allocation': ('fund_id',),
    'atm-transactions-annual-volume': ('year',),
    'atm-transactions-quarterly-value': ('period',),
    'branchless-banking-agents': ('period',),
    'ivr-banking-annual-value': ('year',),
    'mobile-money-accounts-male': ('period',),
    'mobile-money-market-share-value': ('period',),
    'online-banking-annual-volume': ('year',),
    'payments-market-players': ('year',),
    'pos-transactions-quarterly-volume': ('period',),
    'settlement-transactions-value': ('period',),
    'securities': ('symbol',),
    'funds': ('fund_id',),
    'holidays': ('calendar', 'date',),
    'coupon-rates': ('symbol', 'from',),
    'datasets': ('name',),
}

COLUMNS: Dict[str, Tuple[Tuple[str, str], ...]] = {
    'quotes': (
        ('date', 'day'),
        ('symbol', 'text'),
        ('isin', 'text'),
        ('type', 'text'),
        ('maturityDate', 'day'),
        ('maturityYears', 'number'),
        ('bidPrice', 'number'),
        ('askPrice', 'number'),
        ('lastPrice', 'number'),
        ('bidVolume', 'number'),
        ('askVolume', 'number'),
        ('volume', 'number'),
        ('ytm', 'number'),
        ('duration', 'number'),
    ),
    'atm-transactions-annual-volume': (
        ('year', 'annual'),
        ('atm_cash', 'number'),
        ('atm_deposit', 'number'),
        ('deposit_instrument', 'number'),
        ('funds_transfer', 'number'),
        ('utility_bills', 'number'),
        ('funds_transfers', 'number'),
        ('total', 'number'),
    ),
    'atm-transactions-quarterly-value': (
        ('period', 'quarterly'),
        ('cash_withdrawl', 'number'),
        ('intra_bank', 'number'),
        ('inter_bank', 'number'),
        ('utility_bills', 'number'),
        ('cash_deposits', 'number'),
        ('total', 'number'),
    ),
    'branchless-banking-agents': (
        ('period', 'monthly'),
        ('total', 'number'),
        ('provinces', 'keyed number'),
    ),
    'ivr-banking-annual-value': (
        ('year', 'annual'),
        ('total', 'number'),
        ('funds_transfers', 'number'),
        ('funds_transfer', 'number'),
        ('mobile_payment', 'number'),
        ('utility_bills', 'number'),
    ),
    'mobile-money-accounts-male': (
        ('period', 'monthly'),
        ('national', 'integer'),
        ('provinces', 'keyed integer'),
    ),
    'mobile-money-market-share-value': (
        ('period', 'monthly'),
        ('operators', 'keyed number'),
    ),
    'online-banking-annual-volume': (
        ('year', 'annual'),
        ('cash_wtl', 'number'),
        ('cash_deposit', 'number'),
        ('funds_transfer', 'number'),
        ('total', 'number'),
    ),
    'payments-market-players': (
        ('year', 'annual'),
        ('total', 'number'),
        ('banks', 'number'),
        ('mfbs', 'number'),
        ('digitalbanks', 'number'),
        ('pso_psp', 'number'),
        ('emis', 'number'),
    ),
    'pos-transactions-quarterly-volume': (
        ('period', 'quarterly'),
        ('atm', 'number'),
        ('debit_cards', 'number'),
        ('credit_cards', 'number'),
        ('prepaid_cards', 'number'),
        ('socialwelfare_card', 'number'),
    ),
    'settlement-transactions-value': (
        ('period', 'monthly'),
        ('govt_securities', 'number'),
        ('ibft', 'number'),
        ('third_party_transfer', 'number'),
        ('ancillary_clearing', 'number'),
    ),
    'catalogue': (
        ('name', 'text'),
        ('title', 'text'),
        ('meaning', 'text'),
        ('notes', 'other'),
        ('scope', 'text'),
        ('path', 'text'),
        ('aliases', 'other'),
        ('shape', 'text'),
        ('period.field', 'text'),
        ('period.kind', 'text'),
        ('schedule.cadence', 'text'),
        ('schedule.delayDays', 'integer'),
        ('schedule.toleranceDays', 'integer'),
        ('schedule.dates', 'other'),
        ('parameters', 'other'),
        ('fields', 'other'),
        ('chart.kind', 'text'),
        ('chart.fields', 'other'),
        ('chart.total', 'text'),
        ('checks', 'other'),
        ('formats', 'other'),
        ('exports', 'other'),
        ('sdmx', 'text'),
        ('key', 'other'),
        ('coverage.first', 'text'),
        ('coverage.last', 'text'),
        ('coverage.count', 'integer'),
        ('lastRevision.revision', 'integer'),
        ('lastRevision.publishedAt', 'instant'),
        ('lastRevision.source', 'text'),
        ('lastRevision.sample', 'boolean'),
        ('nextDue.period', 'text'),
        ('nextDue.dueAt', 'instant'),
        ('nextDue.lateAt', 'instant'),
        ('yearStart', 'integer'),
        ('source', 'text'),
        ('licence', 'text'),
    ),
    'securities': (
        ('symbol', 'text'),
        ('isin', 'text'),
        ('type', 'text'),
        ('maturityDate', 'day'),
        ('firstDate', 'day'),
        ('lastDate', 'day'),
        ('name', 'text'),
        ('issuer', 'text'),
        ('issueDate', 'day'),
        ('couponRate', 'number'),
        ('couponFrequency', 'integer'),
        ('pricing', 'text'),
        ('floating', 'boolean'),
        ('dayCount', 'text'),
        ('exDividendDays', 'integer'),
        ('settlementDays', 'integer'),
        ('calendar', 'text'),
        ('firstCouponDate', 'day'),
        ('lastCouponDate', 'day'),
        ('endOfMonth', 'boolean'),
        ('lastPeriodYield', 'text'),
        ('firstPeriodYield', 'text'),
        ('accrual', 'text'),
    ),
    'funds': (
        ('fund_id', 'text'),
        ('frequency', 'text'),
        ('firstPeriod.label', 'text'),
        ('firstPeriod.date', 'day'),
        ('lastPeriod.label', 'text'),
        ('lastPeriod.date', 'day'),
        ('name', 'text'),
        ('category', 'text'),
        ('manager', 'text'),
    ),
    'curve': (
        ('date', 'day'),
        ('market', 'text'),
        ('method', 'text'),
        ('rmse', 'number'),
        ('used', 'integer'),
        ('tenor', 'text'),
        ('years', 'number'),
        ('yield', 'number'),
        ('zero', 'number'),
        ('par', 'number'),
        ('forward', 'number'),
        ('discountFactor', 'number'),
        ('fit', 'integer'),
    ),
    'analytics': (
        ('date', 'day'),
        ('symbol', 'text'),
        ('settlementDate', 'day'),
        ('cleanPrice', 'number'),
        ('accrued', 'number'),
        ('dirtyPrice', 'number'),
        ('ytm', 'number'),
        ('macaulayDuration', 'number'),
        ('modifiedDuration', 'number'),
        ('convexity', 'number'),
        ('dv01', 'number'),
        ('spread', 'number'),
        ('carry', 'number'),
        ('rollDown', 'number'),
        ('zSpread', 'number'),
        ('fit', 'integer'),
        ('discountMargin', 'number'),
        ('isin', 'text'),
        ('type', 'text'),
        ('name', 'text'),
        ('maturityDate', 'day'),
        ('couponRate', 'number'),
    ),
    'cashflows': (
        ('date', 'day'),
        ('coupon', 'number'),
        ('principal', 'number'),
        ('amount', 'number'),
        ('years', 'number'),
        ('discountFactor', 'number'),
        ('presentValue', 'number'),
        ('symbol', 'text'),
        ('isin', 'text'),
        ('type', 'text'),
        ('name', 'text'),
        ('maturityDate', 'day'),
        ('couponRate', 'number'),
    ),
    'price': (
        ('date', 'day'),
        ('symbol', 'text'),
        ('settlementDate', 'day'),
        ('cleanPrice', 'number'),
        ('accrued', 'number'),
        ('dirtyPrice', 'number'),
        ('ytm', 'number'),
        ('macaulayDuration', 'number'),
        ('modifiedDuration', 'number'),
        ('convexity', 'number'),
        ('dv01', 'number'),
        ('spread', 'number'),
        ('carry', 'number'),
        ('rollDown', 'number'),
        ('zSpread', 'number'),
        ('fit', 'integer'),
        ('discountMargin', 'number'),
        ('isin', 'text'),
        ('type', 'text'),
        ('name', 'text'),
        ('maturityDate', 'day'),
        ('couponRate', 'number'),
    ),
    'portfolio': (
        ('kind', 'text'),
        ('symbol', 'text'),
        ('isin', 'text'),
        ('name', 'text'),
        ('date', 'day'),
        ('face', 'number'),
        ('cleanPrice', 'number'),
        ('marketValue', 'number'),
        ('accrued', 'number'),
        ('yield', 'number'),
        ('modifiedDuration', 'number'),
        ('dv01', 'number'),
        ('convexity', 'number'),
        ('effectiveDuration', 'number'),
        ('keyRates', 'other'),
        ('values', 'other'),
        ('reason', 'text'),
        ('fit', 'integer'),
    ),
    'aligned': (
        ('period', 'text'),
    ),
    'releases': (
        ('dataset', 'text'),
        ('title', 'text'),
        ('nextDue.period', 'text'),
        ('nextDue.dueAt', 'instant'),
        ('nextDue.lateAt', 'instant'),
        ('dates', 'other'),
        ('releases', 'other'),
        ('series.present', 'integer'),
        ('series.expected', 'integer'),
    ),
    'revisions': (
        ('revision', 'integer'),
        ('dataset', 'text'),
        ('publishedAt', 'instant'),
        ('source', 'text'),
        ('files', 'other'),
        ('author', 'text'),
        ('sample', 'boolean'),
        ('added', 'integer'),
        ('corrected', 'integer'),
        ('retired', 'integer'),
        ('unchanged', 'integer'),
        ('note', 'text'),
    ),
    'corrections': (
        ('revision', 'integer'),
        ('publishedAt', 'instant'),
        ('change', 'text'),
        ('old', 'record'),
        ('new', 'record'),
    ),
    'changes': (
        ('change', 'text'),
        ('record', 'record'),
        ('status', 'text'),
    ),
    'vintages': (
        ('since', 'integer'),
        ('published', 'instant'),
        ('until', 'integer'),
        ('withdrawn', 'instant'),
    ),
}

RECORD_COLUMNS: Dict[str, Tuple[Tuple[str, str], ...]] = {
    'securities': (
        ('symbol', 'text'),
        ('isin', 'text'),
        ('name', 'text'),
        ('issuer', 'text'),
        ('issueDate', 'day'),
        ('couponRate', 'number'),
        ('couponFrequency', 'integer'),
        ('pricing', 'text'),
        ('floating', 'boolean'),
        ('dayCount', 'text'),
        ('exDividendDays', 'integer'),
        ('settlementDays', 'integer'),
        ('calendar', 'text'),
        ('firstCouponDate', 'day'),
        ('lastCouponDate', 'day'),
        ('endOfMonth', 'boolean'),
        ('lastPeriodYield', 'text'),
        ('firstPeriodYield', 'text'),
        ('accrual', 'text'),
    ),
    'funds': (
        ('fund_id', 'text'),
        ('name', 'text'),
        ('category', 'text'),
        ('manager', 'text'),
    ),
    'holidays': (
        ('calendar', 'text'),
        ('date', 'day'),
        ('name', 'text'),
    ),
    'coupon-rates': (
        ('symbol', 'text'),
        ('from', 'day'),
        ('rate', 'number'),
    ),
    'datasets': (
        ('name', 'text'),
        ('title', 'text'),
        ('description', 'text'),
        ('notes', 'other'),
        ('source', 'text'),
        ('licence', 'text'),
        ('scope', 'text'),
        ('period.kind', 'text'),
        ('period.field', 'text'),
        ('period.yearStart', 'integer'),
        ('dimensions', 'other'),
        ('measures', 'other'),
        ('checks', 'other'),
        ('schedule.cadence', 'text'),
        ('schedule.delayDays', 'integer'),
        ('schedule.toleranceDays', 'integer'),
        ('schedule.dates', 'other'),
        ('chart', 'other'),
        ('status', 'boolean'),
        ('supersedes', 'text'),
        ('coverage', 'text'),
    ),
}

MEDIA_TYPES: Dict[str, str] = {
    'csv': 'text/csv',
    'ndjson': 'application/x-ndjson',
    'arrow': 'application/vnd.apache.arrow.stream',
    'parquet': 'application/vnd.apache.parquet',
    'xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}


class Quote(TypedDict):
    """Bill and bond quotes."""

    date: str
    """Date of the quote"""
    symbol: str
    """Exchange symbol or code of the security"""
    isin: str
    """International securities identification number"""
    type: Literal['tbill', 'bond', 'corporate']
    """Instrument type"""
    maturityDate: str
    """Maturity date"""
    maturityYears: float
    """Years to maturity (years)"""
    bidPrice: float
    """Bid price, clean (per 100 of face value)"""
    askPrice: float
    """Ask price, clean (per 100 of face value)"""
    lastPrice: float
    """Last traded price (per 100 of face value)"""
    bidVolume: float
    """Volume available at the bid (face value)"""
    askVolume: float
    """Volume available at the ask (face value)"""
    volume: float
    """Total trading volume (face value)"""
    ytm: float
    """Yield to maturity (percent)"""
    duration: float
    """Modified duration (years)"""


class AtmTransactionsAnnualVolume(TypedDict):
    """ATM transactions, annual volume."""

    year: str
    """Year identifier"""
    atm_cash: float
    """Cash withdrawals (million transactions)"""
    atm_deposit: float
    """Cash deposits (million transactions)"""
    deposit_instrument: float
    """Deposits of payment instruments (million transactions)"""
    funds_transfer: float
    """Account to account fund transfers (million transactions)"""
    utility_bills: float
    """Utility bill payments (million transactions)"""
    funds_transfers: float
    """Third-party account to account fund transfers (million transactions)"""
    total: float
    """Total transactions (million transactions)"""


class AtmTransactionsQuarterlyValue(TypedDict):
    """ATM transactions, quarterly value."""

    period: str
    """Quarter"""
    cash_withdrawl: float
    """Cash withdrawal (PKR billion)"""
    intra_bank: float
    """Intra-bank fund transfer (PKR billion)"""
    inter_bank: float
    """Inter-bank fund transfers (PKR billion)"""
    utility_bills: float
    """Utility bills payment (PKR billion)"""
    cash_deposits: float
    """Cash / instrument deposits (PKR billion)"""
    total: float
    """Total (PKR billion)"""


class BranchlessBankingAgentsProvince(TypedDict):
    """Agents by province."""

    key: str
    """Province: punjab, sindh, kpk, balochistan"""
    value: float
    """Agents in the province (agents)"""


class BranchlessBankingAgents(TypedDict):
    """Branchless banking agents."""

    period: str
    """Month"""
    total: float
    """Total agents (agents)"""
    provinces: List[BranchlessBankingAgentsProvince]
    """Agents by province"""


class IvrBankingAnnualValue(TypedDict):
    """Call centre / IVR banking transactions, annual value."""

    year: str
    """Year identifier"""
    total: float
    """Total transactions value (PKR billion)"""
    funds_transfers: float
    """Account to account fund transfers (PKR billion)"""
    funds_transfer: float
    """Third-party account to account fund transfers (PKR billion)"""
    mobile_payment: float
    """Payment through call centres (PKR billion)"""
    utility_bills: float
    """Utility bill payments (PKR billion)"""


class MobileMoneyAccountsMaleProvince(TypedDict):
    """Accounts held by male users, by province."""

    key: str
    """Province: punjab, sindh, kpk, balochistan"""
    value: int
    """Accounts held by male users in the province (accounts)"""


class MobileMoneyAccountsMale(TypedDict):
    """Mobile money accounts held by men."""

    period: str
    """Month"""
    national: int
    """Accounts held by male users, national total (accounts)"""
    provinces: List[MobileMoneyAccountsMaleProvince]
    """Accounts held by male users, by province"""


class MobileMoneyMarketShareValueOperator(TypedDict):
    """Shares by operator."""

    key: str
    """Operator name, or others for the rest"""
    value: float
    """Share of transaction value: 0.3 means 30 % (fraction)"""


class MobileMoneyMarketShareValue(TypedDict):
    """Mobile money market share, by transaction value."""

    period: str
    """Month"""
    operators: List[MobileMoneyMarketShareValueOperator]
    """Shares by operator"""


class OnlineBankingAnnualVolume(TypedDict):
    """Real-time online banking transactions, annual volume."""

    year: str
    """Year identifier"""
    cash_wtl: float
    """Cash withdrawal (million transactions)"""
    cash_deposit: float
    """Cash deposit (million transactions)"""
    funds_transfer: float
    """Account to account funds transfer (million transactions)"""
    total: float
    """Total transactions (million transactions)"""


class PaymentsMarketPlayers(TypedDict):
    """Licensed market players."""

    year: str
    """Year identifier"""
    total: float
    """Total licensed players (institutions)"""
    banks: float
    """Banks (institutions)"""
    mfbs: float
    """Microfinance banks (institutions)"""
    digitalbanks: float
    """Digital banks (institutions)"""
    pso_psp: float
    """Payment system operators / payment service providers (institutions)"""
    emis: float
    """Electronic money institutions (institutions)"""


class PosTransactionsQuarterlyVolume(TypedDict):
    """POS transactions, quarterly volume."""

    period: str
    """Quarter"""
    atm: float
    """ATM (million transactions)"""
    debit_cards: float
    """Debit card (million transactions)"""
    credit_cards: float
    """Credit cards (million transactions)"""
    prepaid_cards: float
    """Pre-paid cards (million transactions)"""
    socialwelfare_card: float
    """Social welfare card (million transactions)"""


class SettlementTransactionsValue(TypedDict):
    """Settlement-system transactions, by value."""

    period: str
    """Month"""
    govt_securities: float
    """Government securities (PKR billion)"""
    ibft: float
    """Inter-bank fund transfers (PKR billion)"""
    third_party_transfer: float
    """Third-party customer transfers (PKR billion)"""
    ancillary_clearing: float
    """Ancillary clearing settlement (PKR billion)"""


class SecuritiesReference(TypedDict):
    """Terms and names of securities."""

    symbol: str
    """Exchange symbol or code of the security"""
    isin: Optional[str]
    """International securities identification number"""
    name: Optional[str]
    """Name of the security"""
    issuer: Optional[str]
    """Who issued it"""
    issueDate: Optional[str]
    """Day of issue"""
    couponRate: Optional[float]
    """Coupon rate, a year; of a floater, the current one (percent)"""
    couponFrequency: Optional[int]
    """How often coupons are paid; of a zero, how often its yield is compounded (coupons a year)"""
    pricing: Optional[Literal['discount', 'zero', 'coupon', 'bank-discount']]
    """How it is priced: discount (at a simple yield), zero (without coupons, at a compounded yield), coupon, or bank-discount (at a discount rate of its face value)"""
    floating: Optional[bool]
    """Whether the coupon rate follows a reference rate"""
    dayCount: Optional[Literal['ACT/ACT', 'ACT/365', 'ACT/360', '30/360']]
    """How days of interest are counted"""
    exDividendDays: Optional[int]
    """How many days before a coupon day its ex-dividend period begins (days)"""
    settlementDays: Optional[int]
    """How many business days after a trade it is settled (days)"""
    calendar: Optional[str]
    """Name of the calendar, in any letter case"""
    firstCouponDate: Optional[str]
    """Day of the first coupon"""
    lastCouponDate: Optional[str]
    """Day of the last coupon before maturity"""
    endOfMonth: Optional[bool]
    """Whether all coupon days are the last of their months if maturity, or the last coupon, is"""
    lastPeriodYield: Optional[Literal['compound', 'simple']]
    """Whether the yield is compounded or simple in the last period"""
    firstPeriodYield: Optional[Literal['compound', 'simple']]
    """The same of the time to the next coupon, in every period"""
    accrual: Optional[Literal['equal']]
    """equal: coupons are equal, and only interest in between is by dayCount"""


class FundsReference(TypedDict):
    """Names of funds."""

    fund_id: str
    """Identifier of the fund"""
    name: Optional[str]
    """Name of the fund"""
    category: Optional[str]
    """Category of the fund, such as money market or equity"""
    manager: Optional[str]
    """Who manages it"""


class HolidaysReference(TypedDict):
    """Public holidays."""

    calendar: str
    """Name of the calendar, in any letter case"""
    date: str
    """Day that is no business day"""
    name: Optional[str]
    """Name of the holiday"""


CouponRatesReference = TypedDict(
    'CouponRatesReference',
    {
        'symbol': str,
        'from': str,
        'rate': float,
    },
)
"""Coupon rates of floaters."""


class DatasetsReference(TypedDict):
    """Declarations of datasets."""

    name: str
    """Name of the dataset"""
    title: str
    """Title for people"""
    description: Optional[str]
    """What a record holds"""
    notes: Optional[str]
    """Caveats for users of the figures"""
    source: Optional[str]
    """Who publishes the figures, and where"""
    licence: Optional[str]
    """Terms of use"""
    scope: Optional[str]
    """The scope that a token needs; datasets by default"""
    period: str
    """The period of a record"""
    dimensions: Optional[str]
    """With the period, the key of a record"""
    measures: str
    """The figures of a record"""
    checks: Optional[str]
    """Rules whose violation is a warning"""
    schedule: Optional[str]
    """When data is due"""
    chart: Optional[str]
    """The measures that are drawn"""
    status: Optional[bool]
    """Whether records have a status"""
    supersedes: Optional[str]
    """The dataset whose place it takes"""
    coverage: Optional[Literal['stable', 'open']]
    """Whether each period should have the dimension values of the period before; stable by default"""
