import type { DatasetEntry } from '../api/types.ts';
import { type QueryResult, useQueries, useQuery } from '../api/use-query.ts';
import { EmptyState, QueryView } from '../components/panel.tsx';
import { Select } from '../components/select.tsx';
import { Link, updateParams } from '../routing/view-route.tsx';
import { FundDetail } from './fund-detail.tsx';
import {
  createFundNamer,
  createFundRequest,
  FUND_LIST_REQUEST,
  type FundAllocationRecord,
  formatFundTitle,
  type ListedFund,
} from './fund-record.ts';

interface FundPageProps {
  readonly entry: DatasetEntry;
  readonly fund: string;
  readonly otherFund: string | undefined;
}

export function FundPage(props: FundPageProps) {
  const list = useQuery<readonly ListedFund[]>(FUND_LIST_REQUEST);
  const { entry, fund, otherFund } = props;
  // Side by side with the list, whose names are in the title.
  const query = useQueries<FundAllocationRecord>(
    [fund, otherFund ?? []].flat().map((id) => createFundRequest(entry, id)),
  );
  return (
    <QueryView query={list} subject="the funds">
      {(funds) => renderFund(props, funds, query)}
    </QueryView>
  );
}

function renderFund(
  { entry, fund, otherFund }: FundPageProps,
  funds: readonly ListedFund[],
  query: QueryResult<readonly FundAllocationRecord[]>,
) {
  // Of the others nothing but reference data is known.
  const ids = funds.filter(({ frequency }) => frequency !== null).map(({ fund_id }) => fund_id);
  const nameFund = createFundNamer(funds);
  const description = otherFund === undefined ? describeFund(funds, fund) : undefined;
  const isKnown = (id: string) => ids.some((each) => each.toLowerCase() === id.toLowerCase());
  const missingId = [fund, otherFund ?? []].flat().find((id) => !isKnown(id));
  return (
    <>
      {renderTitleRow(fund, otherFund, { ids, nameFund })}
      {description && <p class="description">{description}</p>}
      {missingId !== undefined && query.failure?.kind === 'no_record_found' ? (
        <EmptyState title={`There is no fund “${missingId}”`}>
          Choose another above, or look at <Link view="funds">all funds</Link>.
        </EmptyState>
      ) : (
        <QueryView query={query} subject="the fund">
          {([record, otherRecord]) =>
            record && <FundDetail {...{ entry, nameFund, record, otherRecord }} />
          }
        </QueryView>
      )}
    </>
  );
}

function renderTitleRow(fund: string, otherFund: string | undefined, names: FundNames) {
  const titles = [fund, otherFund ?? []].flat().map((id) => formatFundTitle(names.nameFund(id)));
  return (
    <div class="title-row">
      <h1>{titles.join(' and ')}</h1>
      <div class="toolbar">
        <Link view="funds">All funds</Link>
        {renderFundSelect('fund', fund, names)}
        {renderFundSelect('with', otherFund, names, fund)}
      </div>
    </div>
  );
}

/** `Money market, managed by Amberfield`; undefined where nothing is known. */
function describeFund(funds: readonly ListedFund[], id: string): string | undefined {
  const fund = funds.find(({ fund_id }) => fund_id.toLowerCase() === id.toLowerCase());
  const parts = [fund?.category, fund?.manager && `managed by ${fund.manager}`];
  return parts.filter(Boolean).join(', ') || undefined;
}

interface FundNames {
  readonly ids: readonly string[];
  readonly nameFund: (id: string) => string;
}

/** Chooses the fund that a URL parameter names. */
function renderFundSelect(
  name: 'fund' | 'with',
  selected: string | undefined,
  { ids, nameFund }: FundNames,
  excluded?: string,
) {
  const isSame = (a: string, b = '') => a.toLowerCase() === b.toLowerCase();
  const value = ids.find((id) => isSame(id, selected));
  const options = ids.filter((id) => !isSame(id, excluded));
  const noneText = name === 'with' ? 'none' : 'choose one';
  return (
    <Select
      label={name === 'with' ? 'Compare with' : 'Fund'}
      labelClass="row"
      options={[
        ...(name === 'with' || value === undefined ? [{ key: '', text: noneText }] : []),
        ...options.map((id) => ({ key: id, text: nameFund(id), hint: id })),
      ]}
      value={value ?? ''}
      onChange={(id) => updateParams({ [name]: id, hide: undefined })}
    />
  );
}
