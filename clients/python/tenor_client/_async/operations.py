"""Operations, made by npm run docs from the OpenAPI document. Changes here are lost."""

from __future__ import annotations

from typing import Any, Dict, Iterable, Literal, Optional, Union, overload

from .. import records
from ..parameters import Day, Parameter, Scalar, Symbols, name_bounds
from ..responses import Curves, Entry, Fund, Records
from .reader import AsyncReader
from .streams import AsyncChanges, AsyncRecordStream, AsyncVintages


@name_bounds
class AsyncOperations(AsyncReader):
    """The operations of the service."""

    async def quotes(
        self,
        symbol: Optional[Symbols] = None,
        *,
        date: Optional[Day] = None,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        type: Optional[Literal['tbill', 'bond', 'corporate', 'all']] = None,
        sort: Optional[Literal['desc', 'asc']] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        count: bool = False,
    ) -> Records[records.Quote]:
        """Daily quotes of government and corporate bills and bonds: the latest snapshot, one date,
        or a range of dates. Newest date first, then by symbol.

        symbol: Symbols or ISINs of securities; letter case is ignored. Without a date, the newest
            quote of each.
        date: One date; not together with from or to. Without any of the three, the newest date.
        from_: First date of a range, inclusive; open-ended without to.
        to: Last date of a range, inclusive; open-ended without from.
        type: Only this instrument type; all is no filter.
        sort: Order of a range: desc is newest date first, then by symbol; asc is the reverse, and
            needs from or to.
        limit: Maximum number of records to return.
        cursor: Continues after the last record of a response, with the same parameters: see its
            Link.
        count: Whether `total` of the response is filled.
        """
        parameters: Dict[str, Any] = {
            'symbol': symbol,
            'date': date,
            'from': from_,
            'to': to,
            'type': type,
            'sort': sort,
            'limit': limit,
            'cursor': cursor,
        }
        result: Records[records.Quote] = await self._read('quotes', parameters, count=count)
        return result

    def quotes_all(
        self,
        symbol: Optional[Symbols] = None,
        *,
        date: Optional[Day] = None,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        type: Optional[Literal['tbill', 'bond', 'corporate', 'all']] = None,
        sort: Optional[Literal['desc', 'asc']] = None,
        page_size: int = 10000,
        cursor: Optional[str] = None,
    ) -> AsyncRecordStream[records.Quote]:
        """All pages, each fetched when it is needed, of one revision. Daily quotes of government
        and corporate bills and bonds: the latest snapshot, one date, or a range of dates. Newest
        date first, then by symbol.

        symbol: Symbols or ISINs of securities; letter case is ignored. Without a date, the newest
            quote of each.
        date: One date; not together with from or to. Without any of the three, the newest date.
        from_: First date of a range, inclusive; open-ended without to.
        to: Last date of a range, inclusive; open-ended without from.
        type: Only this instrument type; all is no filter.
        sort: Order of a range: desc is newest date first, then by symbol; asc is the reverse, and
            needs from or to.
        page_size: How many records a page has.
        cursor: Continues after the last record of a response, with the same parameters: see its
            Link.
        """
        parameters: Dict[str, Any] = {
            'symbol': symbol,
            'date': date,
            'from': from_,
            'to': to,
            'type': type,
            'sort': sort,
            'limit': page_size,
            'cursor': cursor,
        }
        result: AsyncRecordStream[records.Quote] = self._stream('quotes', parameters)
        return result

    async def fund_allocation(
        self,
        fund_id: str,
    ) -> Fund:
        """How a mutual fund divides its assets among classes, period by period, newest first.

        fund_id: Identifier of the fund; letter case is ignored.
        """
        parameters: Dict[str, Any] = {
            'fund_id': fund_id,
        }
        result: Fund = await self._read('fund-allocation', parameters)
        return result

    async def catalogue(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Records[Dict[str, Any]]:
        """Every dataset that the token may read: fields, units, notes, consistency checks, default
        chart, parameters, coverage, last revision, and when the next data is due. In other formats
        than JSON and NDJSON a dataset is a row, and a list is JSON in its cell.

        limit: Maximum number of datasets to return.
        cursor: Continues after the last record of a response, with the same parameters: see its
            Link.
        """
        parameters: Dict[str, Any] = {
            'limit': limit,
            'cursor': cursor,
        }
        result: Records[Dict[str, Any]] = await self._read('catalogue', parameters)
        return result

    def catalogue_all(
        self,
        *,
        page_size: int = 10000,
        cursor: Optional[str] = None,
    ) -> AsyncRecordStream[Dict[str, Any]]:
        """All pages, each fetched when it is needed, of one revision. Every dataset that the token
        may read: fields, units, notes, consistency checks, default chart, parameters, coverage,
        last revision, and when the next data is due. In other formats than JSON and NDJSON a
        dataset is a row, and a list is JSON in its cell.

        page_size: How many records a page has.
        cursor: Continues after the last record of a response, with the same parameters: see its
            Link.
        """
        parameters: Dict[str, Any] = {
            'limit': page_size,
            'cursor': cursor,
        }
        result: AsyncRecordStream[Dict[str, Any]] = self._stream('catalogue', parameters)
        return result

    async def securities(
        self,
        q: Optional[str] = None,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        count: bool = False,
    ) -> Records[Dict[str, Any]]:
        """Every security ever quoted, matured ones included, and every one that reference data
        describes, by symbol. ISIN, type and maturity are those of its newest quote; type, maturity
        and both dates are null if it was never quoted. What follows them is reference data, null if
        unknown. `q` finds parts of symbols, ISINs and names.

        q: Only those with this text in an identifier or in the name; letter case and accents are
            ignored.
        limit: Maximum number of records to return; all of them without it.
        cursor: Continues after the last record of a response, with the same parameters: see its
            Link.
        count: Whether `total` of the response is filled.
        """
        parameters: Dict[str, Any] = {
            'q': q,
            'limit': limit,
            'cursor': cursor,
        }
        result: Records[Dict[str, Any]] = await self._read('securities', parameters, count=count)
        return result

    def securities_all(
        self,
        q: Optional[str] = None,
        *,
        page_size: int = 10000,
        cursor: Optional[str] = None,
    ) -> AsyncRecordStream[Dict[str, Any]]:
        """All pages, each fetched when it is needed, of one revision. Every security ever quoted,
        matured ones included, and every one that reference data describes, by symbol. ISIN, type
        and maturity are those of its newest quote; type, maturity and both dates are null if it was
        never quoted. What follows them is reference data, null if unknown. `q` finds parts of
        symbols, ISINs and names.

        q: Only those with this text in an identifier or in the name; letter case and accents are
            ignored.
        page_size: How many records a page has.
        cursor: Continues after the last record of a response, with the same parameters: see its
            Link.
        """
        parameters: Dict[str, Any] = {
            'q': q,
            'limit': page_size,
            'cursor': cursor,
        }
        result: AsyncRecordStream[Dict[str, Any]] = self._stream('securities', parameters)
        return result

    async def funds(
        self,
        q: Optional[str] = None,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        count: bool = False,
    ) -> Records[Dict[str, Any]]:
        """Every fund, by identifier, with its first and last reporting period, then reference data,
        null if unknown. A fund that is known by reference data alone has no frequency and no
        periods: they are null. `q` finds parts of identifiers and names.

        q: Only those with this text in an identifier or in the name; letter case and accents are
            ignored.
        limit: Maximum number of records to return; all of them without it.
        cursor: Continues after the last record of a response, with the same parameters: see its
            Link.
        count: Whether `total` of the response is filled.
        """
        parameters: Dict[str, Any] = {
            'q': q,
            'limit': limit,
            'cursor': cursor,
        }
        result: Records[Dict[str, Any]] = await self._read('funds', parameters, count=count)
        return result

    def funds_all(
        self,
        q: Optional[str] = None,
        *,
        page_size: int = 10000,
        cursor: Optional[str] = None,
    ) -> AsyncRecordStream[Dict[str, Any]]:
        """All pages, each fetched when it is needed, of one revision. Every fund, by identifier,
        with its first and last reporting period, then reference data, null if unknown. A fund that
        is known by reference data alone has no frequency and no periods: they are null. `q` finds
        parts of identifiers and names.

        q: Only those with this text in an identifier or in the name; letter case and accents are
            ignored.
        page_size: How many records a page has.
        cursor: Continues after the last record of a response, with the same parameters: see its
            Link.
        """
        parameters: Dict[str, Any] = {
            'q': q,
            'limit': page_size,
            'cursor': cursor,
        }
        result: AsyncRecordStream[Dict[str, Any]] = self._stream('funds', parameters)
        return result

    async def curve(
        self,
        date: Optional[Union[Scalar, Iterable[Scalar]]] = None,
        *,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        every: Optional[Literal['day', 'week', 'month', 'quarter']] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        market: Optional[Literal['government', 'corporate']] = None,
        tenors: Optional[Union[Scalar, Iterable[Scalar]]] = None,
    ) -> Curves:
        """The curve of government or corporate paper on up to 12 dates, or through time, newest
        first: `yield` is fitted to quoted yields; `zero`, `par`, `forward` and `discountFactor`
        come from a discount function fitted to dirty prices, with errors weighted by duration, and
        are null if the terms of too few securities are known. Floaters are left out, and outliers.
        Nothing is given beyond the longest or below the shortest maturity quoted. A date without
        quotes has a curve of nulls. With `from` or `to`, the curves of each day with quotes of the
        market, or with `every` of the last such day of each week, month or quarter, in pages of
        `limit` dates. In CSV, Arrow, Parquet and XLSX there is a row for each date and tenor,
        without `parameters`, `leftOut`, `usedSymbols` and `reason`; NDJSON with `fields` has the
        points with those that are theirs.

        date: Up to 12 dates, separated by commas; the newest date with quotes of the market by
            default.
        from_: First date of a history, inclusive; not together with date.
        to: Last date of a history, inclusive; not together with date.
        every: With from or to: each day with quotes of the market, or the last one of each week,
            month or quarter.
        limit: With from or to: maximum number of dates to return, by default 100.
        cursor: Continues after the last record of a response, with the same parameters: see its
            Link.
        market: Whose paper.
        tenors: Up to 100 times to maturity, in days (D), weeks (W), months (M) or years (Y).
        """
        parameters: Dict[str, Any] = {
            'date': date,
            'from': from_,
            'to': to,
            'every': every,
            'limit': limit,
            'cursor': cursor,
            'market': market,
            'tenors': tenors,
        }
        result: Curves = await self._read('curve', parameters)
        return result

    def curve_all(
        self,
        date: Optional[Union[Scalar, Iterable[Scalar]]] = None,
        *,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        every: Optional[Literal['day', 'week', 'month', 'quarter']] = None,
        page_size: int = 1000,
        cursor: Optional[str] = None,
        market: Optional[Literal['government', 'corporate']] = None,
        tenors: Optional[Union[Scalar, Iterable[Scalar]]] = None,
    ) -> AsyncRecordStream[Dict[str, Any]]:
        """All pages, each fetched when it is needed, of one revision. The curve of government or
        corporate paper on up to 12 dates, or through time, newest first: `yield` is fitted to
        quoted yields; `zero`, `par`, `forward` and `discountFactor` come from a discount function
        fitted to dirty prices, with errors weighted by duration, and are null if the terms of too
        few securities are known. Floaters are left out, and outliers. Nothing is given beyond the
        longest or below the shortest maturity quoted. A date without quotes has a curve of nulls.
        With `from` or `to`, the curves of each day with quotes of the market, or with `every` of
        the last such day of each week, month or quarter, in pages of `limit` dates. In CSV, Arrow,
        Parquet and XLSX there is a row for each date and tenor, without `parameters`, `leftOut`,
        `usedSymbols` and `reason`; NDJSON with `fields` has the points with those that are theirs.

        date: Up to 12 dates, separated by commas; the newest date with quotes of the market by
            default.
        from_: First date of a history, inclusive; not together with date.
        to: Last date of a history, inclusive; not together with date.
        every: With from or to: each day with quotes of the market, or the last one of each week,
            month or quarter.
        page_size: How many records a page has.
        cursor: Continues after the last record of a response, with the same parameters: see its
            Link.
        market: Whose paper.
        tenors: Up to 100 times to maturity, in days (D), weeks (W), months (M) or years (Y).
        """
        parameters: Dict[str, Any] = {
            'date': date,
            'from': from_,
            'to': to,
            'every': every,
            'limit': page_size,
            'cursor': cursor,
            'market': market,
            'tenors': tenors,
        }
        result: AsyncRecordStream[Dict[str, Any]] = self._stream('curve', parameters)
        return result

    async def analytics(
        self,
        symbol: Optional[Symbols] = None,
        *,
        date: Optional[Day] = None,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        type: Optional[Literal['tbill', 'bond', 'corporate', 'all']] = None,
        market: Optional[Literal['government', 'corporate']] = None,
        horizon: Optional[Literal['1M', '3M', '6M', '1Y']] = None,
        repo: Optional[float] = None,
        sort: Optional[Literal['desc', 'asc']] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Records[Dict[str, Any]]:
        """What follows from the quotes of a security, of several, or of a whole market on one date:
        accrued interest, dirty price, yield, durations, convexity, price change for a basis point,
        the spread over the government curve, carry and roll-down over a horizon, and the Z-spread.
        With `symbol`, one date, a range of dates, or by default the newest quote of each; newest
        first. Without it, every security of `date`, of a range of dates, or of the newest date, by
        symbol. Of a floater, only the price, the quoted yield and duration, and the spread are
        given, and if `coupon-rates` has its current rate, accrued interest, dirty price and
        discount margin, and the yield if none is quoted.

        symbol: Symbols or ISINs of securities; letter case is ignored. Without it, every security.
        date: One date; not together with from or to. Without any of the three, the newest date.
        from_: First date of a range, inclusive; open-ended without to.
        to: Last date of a range, inclusive; open-ended without from.
        type: Only this instrument type; all is no filter.
        market: Only paper of the government, or of others.
        horizon: How long a security is held for carry and roll-down.
        repo: Rate of the financing for carry, in percent, simple; by default that of the government
            curve.
        sort: Order of a range: desc is newest date first, then by symbol; asc is the reverse, and
            needs from or to.
        limit: Maximum number of records to return.
        cursor: Continues after the last record of a response, with the same parameters: see its
            Link.
        """
        parameters: Dict[str, Any] = {
            'symbol': symbol,
            'date': date,
            'from': from_,
            'to': to,
            'type': type,
            'market': market,
            'horizon': horizon,
            'repo': repo,
            'sort': sort,
            'limit': limit,
            'cursor': cursor,
        }
        result: Records[Dict[str, Any]] = await self._read('analytics', parameters)
        return result

    def analytics_all(
        self,
        symbol: Optional[Symbols] = None,
        *,
        date: Optional[Day] = None,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        type: Optional[Literal['tbill', 'bond', 'corporate', 'all']] = None,
        market: Optional[Literal['government', 'corporate']] = None,
        horizon: Optional[Literal['1M', '3M', '6M', '1Y']] = None,
        repo: Optional[float] = None,
        sort: Optional[Literal['desc', 'asc']] = None,
        page_size: int = 10000,
        cursor: Optional[str] = None,
    ) -> AsyncRecordStream[Dict[str, Any]]:
        """All pages, each fetched when it is needed, of one revision. What follows from the quotes
        of a security, of several, or of a whole market on one date: accrued interest, dirty price,
        yield, durations, convexity, price change for a basis point, the spread over the government
        curve, carry and roll-down over a horizon, and the Z-spread. With `symbol`, one date, a
        range of dates, or by default the newest quote of each; newest first. Without it, every
        security of `date`, of a range of dates, or of the newest date, by symbol. Of a floater,
        only the price, the quoted yield and duration, and the spread are given, and if
        `coupon-rates` has its current rate, accrued interest, dirty price and discount margin, and
        the yield if none is quoted.

        symbol: Symbols or ISINs of securities; letter case is ignored. Without it, every security.
        date: One date; not together with from or to. Without any of the three, the newest date.
        from_: First date of a range, inclusive; open-ended without to.
        to: Last date of a range, inclusive; open-ended without from.
        type: Only this instrument type; all is no filter.
        market: Only paper of the government, or of others.
        horizon: How long a security is held for carry and roll-down.
        repo: Rate of the financing for carry, in percent, simple; by default that of the government
            curve.
        sort: Order of a range: desc is newest date first, then by symbol; asc is the reverse, and
            needs from or to.
        page_size: How many records a page has.
        cursor: Continues after the last record of a response, with the same parameters: see its
            Link.
        """
        parameters: Dict[str, Any] = {
            'symbol': symbol,
            'date': date,
            'from': from_,
            'to': to,
            'type': type,
            'market': market,
            'horizon': horizon,
            'repo': repo,
            'sort': sort,
            'limit': page_size,
            'cursor': cursor,
        }
        result: AsyncRecordStream[Dict[str, Any]] = self._stream('analytics', parameters)
        return result

    async def cashflows(
        self,
        symbol: Symbols,
        *,
        date: Optional[Day] = None,
    ) -> Records[Dict[str, Any]]:
        """What securities pay after the settlement of their quotes on a date, or of the newest
        quote of each, in the order of the quotes and then of the days: coupons by its terms, which
        are not moved to business days, and the principal. A coupon that belongs to the seller is
        left out. Without terms, and of a floater, only the principal is known. One that is not
        quoted on that date, or has matured, has none.

        symbol: Symbols or ISINs of securities; letter case is ignored.
        date: Date of the quote; that of the newest one by default.
        """
        parameters: Dict[str, Any] = {
            'symbol': symbol,
            'date': date,
        }
        result: Records[Dict[str, Any]] = await self._read('cashflows', parameters)
        return result

    async def price(
        self,
        symbol: Symbols,
        *,
        date: Optional[Day] = None,
        price: Optional[Union[Scalar, Iterable[Scalar]]] = None,
        yield_: Optional[Union[Scalar, Iterable[Scalar]]] = None,
        spread: Optional[Union[Scalar, Iterable[Scalar]]] = None,
        horizon: Optional[Literal['1M', '3M', '6M', '1Y']] = None,
        repo: Optional[float] = None,
    ) -> Records[Dict[str, Any]]:
        """The figures of securities at a clean price, a yield or a Z-spread that the request gives,
        one for all or one for each, in the order of the symbols; without any of the three, at its
        quoted price. They are settled, and compared with the government curve, as the newest quote
        of each up to `date` is. A figure that such a price does not have is null. The yield of a
        floater is computed, at its current rate.

        symbol: Symbols or ISINs of securities; letter case is ignored. One may come twice.
        date: The newest quote of each security up to that date; by default its newest.
        price: Clean price (per 100 of face value): one for all symbols, or one for each, separated
            by commas.
        yield_: Yield to maturity (percent), as ytm: one for all symbols, or one for each, separated
            by commas.
        spread: Spread over the zero rates of the government curve (basis points), as zSpread: one
            for all symbols, or one for each, separated by commas.
        horizon: How long a security is held for carry and roll-down.
        repo: Rate of the financing for carry, in percent, simple; by default that of the government
            curve.
        """
        parameters: Dict[str, Any] = {
            'symbol': symbol,
            'date': date,
            'price': price,
            'yield': yield_,
            'spread': spread,
            'horizon': horizon,
            'repo': repo,
        }
        result: Records[Dict[str, Any]] = await self._read('price', parameters)
        return result

    async def portfolio(
        self,
        positions: Union[Scalar, Iterable[Scalar]],
        *,
        date: Optional[Day] = None,
        shift: Optional[Union[Scalar, Iterable[Scalar]]] = None,
        key_rates: Optional[Union[Scalar, Iterable[Scalar]]] = None,
    ) -> Records[Dict[str, Any]]:
        """Market value, accrued interest, yield, durations, key-rate durations and convexity of
        positions, and their values under parallel shifts of the government curve by full
        revaluation, with the Z-spread of each held; a record for each position, in the order of the
        request, and then the total. Each is valued at its newest quote up to `date`, or up to the
        newest date with quotes. What cannot be valued has a `reason`, and is in no total. In CSV,
        Arrow, Parquet and XLSX there is a column for each tenor and shift.

        positions: Up to 200 symbols or ISINs, each with its face value after a colon; a negative
            one is a short position. One may come twice.
        date: The newest quotes up to that date.
        shift: Up to 12 parallel shifts of the zero rates (basis points); without any, there are no
            values.
        key_rates: Tenors of the key-rate durations.
        """
        parameters: Dict[str, Any] = {
            'positions': positions,
            'date': date,
            'shift': shift,
            'key_rates': key_rates,
        }
        result: Records[Dict[str, Any]] = await self._read('portfolio', parameters)
        return result

    def aligned(
        self,
        columns: Union[Scalar, Iterable[Scalar]],
        *,
        frequency: Optional[Literal['day', 'week', 'month', 'quarter', 'year']] = None,
        year_start: Optional[int] = None,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        status: bool = False,
        observed: bool = False,
        min_share: Optional[float] = None,
        partial: bool = False,
        sort: Optional[Literal['desc', 'asc']] = None,
        page_size: int = 10000,
        cursor: Optional[str] = None,
    ) -> AsyncRecordStream[Dict[str, Any]]:
        """Figures of several datasets in one table: a row for each period in which any column has a
        record, newest first, a column for each figure, null if it has none, all of one revision. A
        column is the name of a dataset, a point, a measure, a value of each dimension in
        parentheses, after `@` one of the names of `aggregate`, and after a colon one of the codes
        of `units`:
        `atm-transactions-quarterly-value.total:pc1,analytics.zSpread(symbol=Z05PIB151029),curve.par(tenor=10Y)@mean:chg`.
        Columns of finer periods than those of the table are aggregated first: by default flows and
        volumes by their sum, stocks, prices, yields, figures of securities and the curve by the
        last figure, rates and indexes by their mean; a period that is not complete is null.
        `Tenor-Units` has the unit of each column. The scope of every column is needed.

        columns: Up to 40 columns: the name of a dataset, curve or analytics, a point, a measure, a
            value of each dimension, after @ what becomes of the figures of a coarser period, and
            after a colon how they are transformed. In values, ( ) , : @ % are percent-encoded
            twice.
        frequency: Periods of the table; the coarsest of the columns by default.
        year_start: The month in which the years of the table begin; by default that of the columns,
            or January.
        from_: First period, inclusive: a period of the table, a finer one, or a day in it.
        to: Last period, inclusive: a period of the table, a finer one, or a day in it.
        status: Whether the status of each figure follows it, as `<column>.status`.
        observed: Whether the number of figures that each was computed from follows it, as
            `<column>.observed`.
        min_share: The share of the expected figures that is enough for a mean, a first, last, least
            or greatest one; all of them by default.
        partial: Whether the period that is not over yet is given too, by the figures that there are
            so far.
        sort: Order of periods: desc for the newest first, asc for the oldest first.
        page_size: How many records a page has.
        cursor: Continues after the last record of a response, with the same parameters: see its
            Link.
        """
        parameters: Dict[str, Any] = {
            'columns': columns,
            'frequency': frequency,
            'year_start': year_start,
            'from': from_,
            'to': to,
            'status': status or None,
            'observed': observed or None,
            'min_share': min_share,
            'partial': partial or None,
            'sort': sort,
            'limit': page_size,
            'cursor': cursor,
        }
        result: AsyncRecordStream[Dict[str, Any]] = self._stream('aligned', parameters)
        return result

    async def releases(
        self,
    ) -> Records[Dict[str, Any]]:
        """When each dataset is released next: the period that is due, and the instants that are
        announced. Open to all; a token of its scope also gets its last releases, when they were
        due, and how many of its series the newest period has. A release is a revision with a period
        that is newer than all before. With `format=ics` it is a calendar of what is to come."""
        parameters: Dict[str, Any] = {}
        result: Records[Dict[str, Any]] = await self._read('releases', parameters)
        return result

    async def revisions(
        self,
        dataset: Optional[str] = None,
        *,
        before: Optional[int] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Records[Dict[str, Any]]:
        """What was published, corrected and retired, when, by whom and from what source, in the
        datasets that the token may read. Newest first.

        dataset: Only revisions of that dataset.
        before: Only revisions with a smaller number than this.
        limit: Maximum number of revisions to return.
        cursor: Continues after the last record of a response, with the same parameters: see its
            Link.
        """
        parameters: Dict[str, Any] = {
            'dataset': dataset,
            'before': before,
            'limit': limit,
            'cursor': cursor,
        }
        result: Records[Dict[str, Any]] = await self._read('revisions', parameters)
        return result

    def revisions_all(
        self,
        dataset: Optional[str] = None,
        *,
        before: Optional[int] = None,
        page_size: int = 10000,
        cursor: Optional[str] = None,
    ) -> AsyncRecordStream[Dict[str, Any]]:
        """All pages, each fetched when it is needed, of one revision. What was published, corrected
        and retired, when, by whom and from what source, in the datasets that the token may read.
        Newest first.

        dataset: Only revisions of that dataset.
        before: Only revisions with a smaller number than this.
        page_size: How many records a page has.
        cursor: Continues after the last record of a response, with the same parameters: see its
            Link.
        """
        parameters: Dict[str, Any] = {
            'dataset': dataset,
            'before': before,
            'limit': page_size,
            'cursor': cursor,
        }
        result: AsyncRecordStream[Dict[str, Any]] = self._stream('revisions', parameters)
        return result

    async def revision(
        self,
        n: int,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Entry:
        """A revision with the report of its publication, the options that it was made with, and the
        records that it changed: first corrections and retirements, then additions. The counts are
        of all changes, beyond the limit too.

        limit: Maximum number of changes to return.
        cursor: Continues after the last record of a response, with the same parameters: see its
            Link.
        """
        parameters: Dict[str, Any] = {
            'limit': limit,
            'cursor': cursor,
        }
        result: Entry = await self._read('revision', parameters, n=f'{n:d}')
        return result

    def revision_all(
        self,
        n: int,
        *,
        page_size: int = 10000,
        cursor: Optional[str] = None,
    ) -> AsyncRecordStream[Dict[str, Any]]:
        """All pages, each fetched when it is needed, of one revision. A revision with the report of
        its publication, the options that it was made with, and the records that it changed: first
        corrections and retirements, then additions. The counts are of all changes, beyond the limit
        too.

        page_size: How many records a page has.
        cursor: Continues after the last record of a response, with the same parameters: see its
            Link.
        """
        parameters: Dict[str, Any] = {
            'limit': page_size,
            'cursor': cursor,
        }
        result: AsyncRecordStream[Dict[str, Any]] = self._stream('revision', parameters, n=f'{n:d}')
        return result

    async def corrections(
        self,
        dataset: str,
        *,
        symbol: Optional[Symbols] = None,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        fund_id: Optional[str] = None,
        before: Optional[int] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Records[Dict[str, Any]]:
        """Every correction and retirement in a dataset: the old record, the new one, the revision
        and its time. Newest revision first, then in the order of the dataset. Additions are not
        included. In other formats than JSON and NDJSON the old record is a row and the new one the
        next: the columns `revision`, `publishedAt`, `change` and `version` (`old` or `new`), then
        those of the export, or those that `fields` names.

        symbol: For quotes and securities: symbols of securities, or for quotes the ISINs that the
            records had; letter case is ignored.
        from_: For quotes: first date of the records, inclusive.
        to: For quotes: last date of the records, inclusive.
        fund_id: For fund-allocation and funds: identifier of one fund; letter case is ignored.
        before: Only changes by revisions with a smaller number than this.
        limit: Maximum number of changes to return.
        cursor: Continues after the last record of a response, with the same parameters: see its
            Link.
        """
        parameters: Dict[str, Any] = {
            'symbol': symbol,
            'from': from_,
            'to': to,
            'fund_id': fund_id,
            'before': before,
            'limit': limit,
            'cursor': cursor,
        }
        result: Records[Dict[str, Any]] = await self._read('corrections', parameters, dataset=dataset)
        return result

    def corrections_all(
        self,
        dataset: str,
        *,
        symbol: Optional[Symbols] = None,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        fund_id: Optional[str] = None,
        before: Optional[int] = None,
        page_size: int = 10000,
        cursor: Optional[str] = None,
    ) -> AsyncRecordStream[Dict[str, Any]]:
        """All pages, each fetched when it is needed, of one revision. Every correction and
        retirement in a dataset: the old record, the new one, the revision and its time. Newest
        revision first, then in the order of the dataset. Additions are not included. In other
        formats than JSON and NDJSON the old record is a row and the new one the next: the columns
        `revision`, `publishedAt`, `change` and `version` (`old` or `new`), then those of the
        export, or those that `fields` names.

        symbol: For quotes and securities: symbols of securities, or for quotes the ISINs that the
            records had; letter case is ignored.
        from_: For quotes: first date of the records, inclusive.
        to: For quotes: last date of the records, inclusive.
        fund_id: For fund-allocation and funds: identifier of one fund; letter case is ignored.
        before: Only changes by revisions with a smaller number than this.
        page_size: How many records a page has.
        cursor: Continues after the last record of a response, with the same parameters: see its
            Link.
        """
        parameters: Dict[str, Any] = {
            'symbol': symbol,
            'from': from_,
            'to': to,
            'fund_id': fund_id,
            'before': before,
            'limit': page_size,
            'cursor': cursor,
        }
        result: AsyncRecordStream[Dict[str, Any]] = self._stream('corrections', parameters, dataset=dataset)
        return result

    def changes(
        self,
        dataset: str,
        since: int,
        *,
        until: Optional[int] = None,
        page_size: int = 10000,
        cursor: Optional[str] = None,
    ) -> AsyncChanges:
        """What must be done to a copy of revision `since` to have the newest one, or revision
        `until`: records to add, to put in the place of the one with the same key, and to delete, in
        the order of the dataset. A record that changed several times comes once; one that is as it
        was does not come. All pages are of one revision, which is in `Tenor-Revision`: the next
        `since`. If `Tenor-Since-Published-At` is not what `Tenor-Published-At` was with that
        revision, the database is another one: begin with `since=0`. In JSON and NDJSON the `status`
        of a record of a series follows it, by the code list of SDMX (`P` provisional, `E`
        estimated), unless it is `A`, normal, or the record has a field of that name. In other
        formats than JSON and NDJSON the first column is `change`, and the others are those of the
        export, or those that `fields` names. With `as_of` or `Accept-Datetime`, that revision is
        the newest one.

        since: The revision that the copy has; with 0, every record is added.
        until: The revision that the changes lead to; the newest one by default.
        page_size: How many records a page has.
        cursor: Continues after the last record of a response, with the same parameters: see its
            Link.
        """
        parameters: Dict[str, Any] = {
            'since': since,
            'until': until,
            'limit': page_size,
            'cursor': cursor,
        }
        result: AsyncChanges = self._stream('changes', parameters, AsyncChanges, dataset=dataset)
        return result

    def vintages(
        self,
        dataset: str,
        /,
        *,
        symbol: Optional[Symbols] = None,
        date: Optional[Day] = None,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        type: Optional[Literal['tbill', 'bond', 'corporate', 'all']] = None,
        sort: Optional[Literal['desc', 'asc']] = None,
        page_size: int = 10000,
        cursor: Optional[str] = None,
        fund_id: Optional[str] = None,
        calendar: Optional[str] = None,
        name: Optional[str] = None,
        release: Optional[Literal['first']] = None,
        **filters: Parameter,
    ) -> AsyncVintages:
        """Every published state of the records that match, in the order of the dataset, then by
        `since`: the record, and from when until when it was valid. Without a filter, of all
        records. A record that was retired and published again has two states. A series has its
        `status` after the record. The filters are those of the dataset, each dimension of a series
        included. With `as_of` or `Accept-Datetime`, what came later is hidden. In other formats
        than JSON and NDJSON the columns are those of the export, or those that `fields` names, then
        these four.

        symbol: For quotes and securities: symbols of securities, or for quotes the ISINs that the
            records had; letter case is ignored.
        date: For quotes: one date; not together with from or to.
        from_: For quotes and series: first date or period, inclusive.
        to: For quotes and series: last date or period, inclusive.
        type: Only this instrument type; all is no filter.
        sort: Order of a range: desc is newest date first, then by symbol; asc is the reverse, and
            needs from or to.
        page_size: How many records a page has.
        cursor: Continues after the last record of a response, with the same parameters: see its
            Link.
        fund_id: For fund-allocation and funds: identifier of one fund; letter case is ignored.
        calendar: Name of one calendar.
        name: For datasets: name of one dataset.
        release: With first, only the first of all states of each record, if it matches.
        """
        parameters: Dict[str, Any] = {
            **filters,
            'symbol': symbol,
            'date': date,
            'from': from_,
            'to': to,
            'type': type,
            'sort': sort,
            'limit': page_size,
            'cursor': cursor,
            'fund_id': fund_id,
            'calendar': calendar,
            'name': name,
            'release': release,
        }
        result: AsyncVintages = self._stream('vintages', parameters, AsyncVintages, dataset=dataset)
        return result

    async def shared_keys(
        self,
    ) -> Entry:
        """What a server needs that follows this one (`FOLLOW`), so that clients can go from one to
        the other: the key that signs cursors, the keys that verify signed links, and, for a token
        that was made by `tenor token create … --may-follow-tokens`, all tokens and links, as
        digests of secrets that are 256 random bits. Their scopes are limited to those of that
        token; links that need more are left out. `API_TOKEN` is not among them, since it may be
        guessed by its digest; nor are subjects of single sign-on, who get 403 here. A holder of the
        first key can make cursors, and with them gets nothing that its token may not read; nothing
        else can be signed with what is here."""
        parameters: Dict[str, Any] = {}
        result: Entry = await self._read('shared-keys', parameters)
        return result

    def dataset(
        self,
        dataset: str,
        /,
        *,
        from_: Optional[Day] = None,
        to: Optional[Day] = None,
        page_size: int = 10000,
        cursor: Optional[str] = None,
        sort: Optional[Literal['desc', 'asc']] = None,
        frequency: Optional[Literal['week', 'month', 'quarter', 'year']] = None,
        year_start: Optional[int] = None,
        aggregate: Optional[Literal['sum', 'mean', 'first', 'last', 'min', 'max']] = None,
        min_share: Optional[float] = None,
        partial: bool = False,
        units: Optional[Literal['lin', 'chg', 'ch1', 'pch', 'pc1', 'pca', 'cch', 'cca', 'log']] = None,
        **dimensions: Parameter,
    ) -> AsyncRecordStream[Dict[str, Any]]:
        """How many transactions were made at ATMs in a year, by kind.

        from_: First period, inclusive.
        to: Last period, inclusive.
        page_size: How many records a page has.
        cursor: Continues after the last record of a response, with the same parameters: see its
            Link.
        sort: Order of periods: desc for the newest first, asc for the oldest first.
        frequency: Periods to aggregate into, which must be coarser than those of the dataset.
        year_start: The month in which the years of the result begin, with frequency quarter or
            year; by default as those of the dataset do.
        aggregate: What becomes of the figures of a period, with frequency; by default the sum of
            flows, the last of stocks, the mean of rates and indexes. If some are missing, the
            result is null, unless min_share allows it.
        min_share: The share of the expected figures that is enough for a mean, a first, last, least
            or greatest one; all of them by default.
        partial: Whether the period that is not over yet is given too, by the figures that there are
            so far.
        units: Units of the figures: lin as published, chg change, ch1 change from a year ago, pch
            percent change, pc1 percent change from a year ago, pca compounded annual rate of
            change, cch continuously compounded rate of change, cca continuously compounded annual
            rate of change, log natural logarithm.
        """
        parameters: Dict[str, Any] = {
            **dimensions,
            'from': from_,
            'to': to,
            'limit': page_size,
            'cursor': cursor,
            'sort': sort,
            'frequency': frequency,
            'year_start': year_start,
            'aggregate': aggregate,
            'min_share': min_share,
            'partial': partial or None,
            'units': units,
        }
        result: AsyncRecordStream[Dict[str, Any]] = self._stream('dataset', parameters, dataset=dataset)
        return result

    @overload
    async def series(
        self, name: Literal['atm-transactions-annual-volume']
    ) -> Records[records.AtmTransactionsAnnualVolume]: ...

    @overload
    async def series(
        self, name: Literal['atm-transactions-quarterly-value']
    ) -> Records[records.AtmTransactionsQuarterlyValue]: ...

    @overload
    async def series(
        self, name: Literal['branchless-banking-agents']
    ) -> Records[records.BranchlessBankingAgents]: ...

    @overload
    async def series(
        self, name: Literal['ivr-banking-annual-value']
    ) -> Records[records.IvrBankingAnnualValue]: ...

    @overload
    async def series(
        self, name: Literal['mobile-money-accounts-male']
    ) -> Records[records.MobileMoneyAccountsMale]: ...

    @overload
    async def series(
        self, name: Literal['mobile-money-market-share-value']
    ) -> Records[records.MobileMoneyMarketShareValue]: ...

    @overload
    async def series(
        self, name: Literal['online-banking-annual-volume']
    ) -> Records[records.OnlineBankingAnnualVolume]: ...

    @overload
    async def series(
        self, name: Literal['payments-market-players']
    ) -> Records[records.PaymentsMarketPlayers]: ...

    @overload
    async def series(
        self, name: Literal['pos-transactions-quarterly-volume']
    ) -> Records[records.PosTransactionsQuarterlyVolume]: ...

    @overload
    async def series(
        self, name: Literal['settlement-transactions-value']
    ) -> Records[records.SettlementTransactionsValue]: ...

    @overload
    async def series(self, name: str) -> Records[Any]: ...

    async def series(self, name: str) -> Records[Any]:
        """A series by its name, newest period first."""
        return await self._read_series(name)
