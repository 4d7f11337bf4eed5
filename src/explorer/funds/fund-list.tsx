import { Link } from '../address/link.tsx';
import { slide, usePlace } from '../address/place.ts';
import { dayWords } from '../figures/days.ts';
import { Panel } from '../parts/panel.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { type Column, Table } from '../parts/table.tsx';
import type { Entry } from '../service/catalogue.ts';
import { useAnswer } from '../service/use-answer.ts';
import { Take } from '../take/take.tsx';
import { LIST, type ListedFund, type Period } from './fund.ts';
import { shortIds } from './short-ids.ts';

/** Every fund, to be found by its identifier. */
export function FundList({ entry }: { readonly entry: Entry }) {
  const asked = useAnswer<readonly ListedFund[]>({ path: LIST });
  return (
    <>
      <h1>Funds</h1>
      <p class="lead">{entry.meaning}</p>
      <Panel
        title="All funds"
        lead="The source gives identifiers, no names."
        tools={<Take question={{ path: LIST }} name="funds" title="Funds" />}
      >
        <Shown asked={asked} what="the funds">
          {(funds) => <Found funds={funds} />}
        </Shown>
      </Panel>
    </>
  );
}

function Found({ funds }: { readonly funds: readonly ListedFund[] }) {
  const { at } = usePlace();
  const wanted = (at.q ?? '').trim().toLowerCase();
  const found = funds.filter(({ fund_id, frequency }) =>
    `${fund_id} ${frequency}`.toLowerCase().includes(wanted),
  );
  if (funds.length === 0) {
    return (
      <Empty title="No fund was published yet">
        Look at a later instant, or load some with <code>npx tenor load</code>.
      </Empty>
    );
  }
  return (
    <>
      <div class="side-by-side fund-finder">
        <label for="fund-finder">Find a fund</label>
        <input
          id="fund-finder"
          type="search"
          placeholder="Part of its identifier, or how often it reports"
          value={at.q ?? ''}
          onInput={({ currentTarget }) => slide({ q: currentTarget.value })}
        />
        <span class="quiet" role="status">
          {found.length} of {funds.length}
        </span>
      </div>
      {found.length === 0 ? (
        <Empty title={`No fund matches “${at.q}”`}>
          Try fewer characters, or <Link to="funds">see all of them</Link>.
        </Empty>
      ) : (
        <Table
          caption="Funds"
          columns={columnsOf(shortIds(funds.map(({ fund_id }) => fund_id)))}
          rows={found}
          keyOf={({ fund_id }) => fund_id}
          sort={at.sort}
          onSort={(sort) => slide({ sort })}
        />
      )}
    </>
  );
}

function columnsOf(short: (id: string) => string): Column<ListedFund>[] {
  const periodColumn = (name: string, title: string, of: (fund: ListedFund) => Period) => ({
    name,
    title,
    cell: (fund: ListedFund) => <span title={dayWords(of(fund).date)}>{of(fund).label}</span>,
    by: (fund: ListedFund) => of(fund).date,
  });
  return [
    {
      name: 'fund',
      title: 'Fund',
      isText: true,
      cell: ({ fund_id }) => (
        <Link to="funds" at={{ fund: fund_id }} title={fund_id}>
          {short(fund_id)}
        </Link>
      ),
      by: ({ fund_id }) => fund_id,
    },
    {
      name: 'frequency',
      title: 'Reports',
      isText: true,
      cell: ({ frequency }) => frequency,
      by: ({ frequency }) => frequency,
    },
    periodColumn('first', 'First period', ({ firstPeriod }) => firstPeriod),
    periodColumn('last', 'Last period', ({ lastPeriod }) => lastPeriod),
  ];
}
