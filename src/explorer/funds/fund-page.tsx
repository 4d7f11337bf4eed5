import { Link } from '../address/link.tsx';
import { go } from '../address/place.ts';
import { Meanings } from '../parts/notes.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import type { Entry } from '../service/catalogue.ts';
import { type Asked, useAnswer } from '../service/use-answer.ts';
import { type FundRecord, LIST, type ListedFund, questionOf } from './fund.ts';
import { Mix } from './mix.tsx';
import { shortIds } from './short-ids.ts';

interface FundPageProps {
  readonly entry: Entry;
  readonly fund: string;
  /** A fund to compare it with. */
  readonly other: string | undefined;
}

/** One fund in full, or two side by side. */
export function FundPage({ entry, fund, other }: FundPageProps) {
  const listed = useAnswer<readonly ListedFund[]>({ path: LIST });
  const first = useAnswer<FundRecord>(questionOf(entry, fund));
  const second = useAnswer<FundRecord>(other === undefined ? undefined : questionOf(entry, other));
  const ids = listed.data?.map(({ fund_id }) => fund_id) ?? [];
  const short = shortIds(ids);
  return (
    <>
      <div class="title-row">
        <h1>
          {other === undefined ? `Fund ${short(fund)}` : `Funds ${short(fund)} and ${short(other)}`}
        </h1>
        <div class="tools">
          <Link to="funds">All funds</Link>
          <FundChoice label="Fund" ids={ids} chosen={fund} short={short} name="fund" />
          <FundChoice
            label="Compare with"
            ids={ids}
            chosen={other}
            short={short}
            name="with"
            except={fund}
          />
        </div>
      </div>
      <FundShown asked={first} id={fund}>
        {(one) =>
          other === undefined ? (
            <Mix entry={entry} one={one} short={short} />
          ) : (
            <FundShown asked={second} id={other}>
              {(two) => <Mix entry={entry} one={one} two={two} short={short} />}
            </FundShown>
          )
        }
      </FundShown>
      <Meanings entry={entry} />
    </>
  );
}

interface FundChoiceProps {
  readonly label: string;
  readonly name: 'fund' | 'with';
  readonly ids: readonly string[];
  readonly chosen: string | undefined;
  readonly short: (id: string) => string;
  readonly except?: string;
}

function FundChoice({ label, name, ids, chosen, short, except }: FundChoiceProps) {
  const isSame = (one: string, other = '') => one.toLowerCase() === other.toLowerCase();
  const known = ids.find((id) => isSame(id, chosen));
  return (
    <label>
      {label}{' '}
      <select
        value={known ?? ''}
        onChange={({ currentTarget }) => go({ [name]: currentTarget.value, hide: undefined })}
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

interface FundShownProps {
  readonly asked: Asked<FundRecord>;
  readonly id: string;
  readonly children: (record: FundRecord) => preact.ComponentChildren;
}

function FundShown({ asked, id, children }: FundShownProps) {
  if (asked.failure?.kind === 'no_record_found') {
    return (
      <Empty title={`There is no fund “${id}”`}>
        Choose another above, or look at <Link to="funds">all funds</Link>.
      </Empty>
    );
  }
  return (
    <Shown asked={asked} what="the fund">
      {children}
    </Shown>
  );
}
