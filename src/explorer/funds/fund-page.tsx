import type { DatasetEntry } from '../api/types.ts';
import { useQuery } from '../api/use-query.ts';
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

export function FundPage({ entry, fund, otherFund }: FundPageProps) {
  const list = useQuery<readonly ListedFund[]>(FUND_LIST_REQUEST);
  const query = useQuery<FundAllocationRecord>(createFundRequest(entry, fund));
  const otherQuery = useQuery<FundAllocationRecord>(
    otherFund === undefined ? undefined : createFundRequest(entry, otherFund),
  );
  const funds = list.data ?? [];
  // Of the others nothing but reference data is known.
  const ids = funds.filter(({ frequency }) => frequency !== null).map(({ fund_id }) => fund_id);
  const nameFund = createFundNamer(funds);
  const isMissing = ({ failure }: typeof query) => failure?.kind === 'no_record_found';
  const missingId = isMissing(query) ? fund : isMissing(otherQuery) ? otherFund : undefined;
  const description = otherFund === undefined ? describeFund(funds, fund) : undefined;
  return (
    <>
      {renderTitleRow(fund, otherFund, { ids, nameFund })}
      {description && <p class="description">{description}</p>}
      {missingId !== undefined ? (
        <EmptyState title={`There is no fund “${missingId}”`}>
          Choose another above, or look at <Link view="funds">all funds</Link>.
        </EmptyState>
      ) : (
        <QueryView query={query} subject="the fund">
          {(record) =>
            otherFund === undefined ? (
              <FundDetail {...{ entry, nameFund, record }} />
            ) : (
              <QueryView query={otherQuery} subject="the fund">
                {(otherRecord) => <FundDetail {...{ entry, nameFund, record, otherRecord }} />}
              </QueryView>
            )
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
