import type { DatasetEntry } from '../api/types.ts';
import { type QueryResult, useQueries, useQuery } from '../api/use-query.ts';
import { EmptyState, QueryView } from '../components/panel.tsx';
import { Select } from '../components/select.tsx';
import { ViewHeader } from '../components/view-header.tsx';
import { updateParams, ViewLink } from '../routing/view-route.tsx';
import { FundDetail } from './fund-detail.tsx';
import {
  createFundNamer,
  createFundRequest,
  FUND_LIST_REQUEST,
  type FundAllocationRecord,
  type ListedFund,
} from './fund-record.ts';

interface FundPageProps {
  readonly entry: DatasetEntry;
  /** One fund, or two to compare. */
  readonly ids: readonly string[];
}

export function FundPage(props: FundPageProps) {
  const list = useQuery<readonly ListedFund[]>(FUND_LIST_REQUEST);
  // Read together with the list, whose names are in the title.
  const query = useQueries<FundAllocationRecord>(
    props.ids.map((id) => createFundRequest(props.entry, id)),
  );
  return (
    <QueryView query={list} subject="the funds">
      {(funds) => renderFund(props, funds, query)}
    </QueryView>
  );
}

/** The parameters that do not carry over to another fund. */
const RESET_PARAMS = { hide: undefined, from: undefined, to: undefined };

function renderFund(
  { entry, ids }: FundPageProps,
  funds: readonly ListedFund[],
  query: QueryResult<readonly FundAllocationRecord[]>,
) {
  const nameFund = createFundNamer(funds);
  const findFund = (id: string) =>
    funds.find(({ fund_id }) => fund_id.toLowerCase() === id.toLowerCase());
  const missingId = ids.find((id) => !findFund(id)?.frequency);
  const [fund, otherFund] = ids.map(findFund);
  const description = [fund?.category, fund?.manager && `managed by ${fund.manager}`]
    .filter(Boolean)
    .join(', ');
  // The others are known from reference data alone.
  const choices = funds
    .filter((each) => each.frequency !== null && each !== fund)
    .map(({ fund_id }) => ({ key: fund_id, text: nameFund(fund_id), hint: fund_id }));
  return (
    <>
      <ViewHeader title={ids.map(nameFund).join(' and ')}>
        <ViewLink view="funds">All funds</ViewLink>
        <Select
          label="Fund"
          options={[{ key: '', text: 'Another fund' }, ...choices]}
          value=""
          onChange={(id) => updateParams({ ...RESET_PARAMS, fund: id })}
        />
        <Select
          label="Compare with"
          options={[{ key: '', text: otherFund ? 'No comparison' : 'Compare with' }, ...choices]}
          value={otherFund?.fund_id ?? ''}
          onChange={(id) => updateParams({ ...RESET_PARAMS, with: id })}
        />
      </ViewHeader>
      {ids.length === 1 && description && <p class="description">{description}</p>}
      {missingId !== undefined && query.failure?.kind === 'no_record_found' ? (
        <EmptyState title={`There is no fund “${missingId}”`}>
          Choose another above, or look at <ViewLink view="funds">all funds</ViewLink>.
        </EmptyState>
      ) : (
        <QueryView query={query} subject="the fund">
          {(records) => <FundDetail entry={entry} nameFund={nameFund} records={records} />}
        </QueryView>
      )}
    </>
  );
}
