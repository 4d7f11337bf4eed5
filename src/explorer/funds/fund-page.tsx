import type { DatasetEntry } from '../api/types.ts';
import { type QueryResult, useQuery } from '../api/use-query.ts';
import { FieldsPanel } from '../components/dataset-panels.tsx';
import { EmptyState, QueryView } from '../components/query-view.tsx';
import { Link } from '../routing/link.tsx';
import { updateParams } from '../routing/view-route.ts';
import { FundDetail } from './fund-detail.tsx';
import {
  createFundRequest,
  FUND_LIST_PATH,
  type FundRecord,
  type ListedFund,
} from './fund-record.ts';
import { createIdShortener } from './shorten-ids.ts';

interface FundPageProps {
  readonly entry: DatasetEntry;
  readonly fund: string;
  /** A fund to compare it with. */
  readonly other: string | undefined;
}

/** One fund in full, or two side by side. */
export function FundPage({ entry, fund, other }: FundPageProps) {
  const listed = useQuery<readonly ListedFund[]>({ path: FUND_LIST_PATH });
  const first = useQuery<FundRecord>(createFundRequest(entry, fund));
  const second = useQuery<FundRecord>(
    other === undefined ? undefined : createFundRequest(entry, other),
  );
  const ids = listed.data?.map(({ fund_id }) => fund_id) ?? [];
  const short = createIdShortener(ids);
  return (
    <>
      <div class="title-row">
        <h1>
          {other === undefined ? `Fund ${short(fund)}` : `Funds ${short(fund)} and ${short(other)}`}
        </h1>
        <div class="toolbar">
          <Link view="funds">All funds</Link>
          <FundSelect label="Fund" ids={ids} chosen={fund} short={short} name="fund" />
          <FundSelect
            label="Compare with"
            ids={ids}
            chosen={other}
            short={short}
            name="with"
            except={fund}
          />
        </div>
      </div>
      <FundQueryView asked={first} id={fund}>
        {(one) =>
          other === undefined ? (
            <FundDetail entry={entry} one={one} short={short} />
          ) : (
            <FundQueryView asked={second} id={other}>
              {(two) => <FundDetail entry={entry} one={one} two={two} short={short} />}
            </FundQueryView>
          )
        }
      </FundQueryView>
      <FieldsPanel entry={entry} />
    </>
  );
}

interface FundSelectProps {
  readonly label: string;
  readonly name: 'fund' | 'with';
  readonly ids: readonly string[];
  readonly chosen: string | undefined;
  readonly short: (id: string) => string;
  readonly except?: string;
}

function FundSelect({ label, name, ids, chosen, short, except }: FundSelectProps) {
  const isSame = (one: string, other = '') => one.toLowerCase() === other.toLowerCase();
  const known = ids.find((id) => isSame(id, chosen));
  return (
    <label>
      {label}{' '}
      <select
        value={known ?? ''}
        onChange={({ currentTarget }) =>
          updateParams({ [name]: currentTarget.value, hide: undefined })
        }
      >
        {(name === 'with' || known === undefined) && (
          <option value="">{name === 'with' ? 'no other' : 'choose one'}</option>
        )}
        {ids
          .filter((id) => !isSame(id, except))
          .map((id) => (
            <option key={id} value={id} title={id}>
              {short(id)}
            </option>
          ))}
      </select>
    </label>
  );
}

interface FundQueryViewProps {
  readonly asked: QueryResult<FundRecord>;
  readonly id: string;
  readonly children: (record: FundRecord) => preact.ComponentChildren;
}

function FundQueryView({ asked: query, id, children }: FundQueryViewProps) {
  if (query.failure?.kind === 'no_record_found') {
    return (
      <EmptyState title={`There is no fund “${id}”`}>
        Choose another above, or look at <Link view="funds">all funds</Link>.
      </EmptyState>
    );
  }
  return (
    <QueryView query={query} subject="the fund">
      {children}
    </QueryView>
  );
}
