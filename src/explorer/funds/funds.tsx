import { useContext } from 'preact/hooks';
import { usePlace } from '../address/place.ts';
import { Empty } from '../parts/states.tsx';
import { ServiceContext } from '../service/service.ts';
import { FundList } from './fund-list.tsx';
import { FundPage } from './fund-page.tsx';

/** What mutual funds hold: all of them in a list, one in full, or two side by side. */
export function Funds() {
  const { catalogue } = useContext(ServiceContext);
  const { at } = usePlace();
  const entry = catalogue.find(({ shape }) => shape === 'fund');
  if (!entry) {
    return (
      <>
        <h1>Funds</h1>
        <Empty title="There are no funds here">
          This token does not open them. Sign in with one that has the scope for them.
        </Empty>
      </>
    );
  }
  if (at.fund === undefined) return <FundList entry={entry} />;
  // What was answered for one fund is not to be shown under the name of another.
  const other = at.with === at.fund ? undefined : at.with;
  return <FundPage key={`${at.fund} ${other}`} entry={entry} fund={at.fund} other={other} />;
}
