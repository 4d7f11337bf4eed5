import { useDataset } from '../api/explorer-context.ts';
import { useViewRoute } from '../routing/view-route.ts';
import { FundListPage } from './fund-list-page.tsx';
import { FundPage } from './fund-page.tsx';

/** The list of all funds, one fund, or two side by side. */
export function FundsView() {
  const entry = useDataset('fund');
  const { fund, with: other } = useViewRoute().params;
  if (fund === undefined) return <FundListPage entry={entry} />;
  const otherFund = other === fund ? undefined : other;
  // The key keeps the data of one fund from appearing under the name of another.
  return <FundPage key={`${fund} ${otherFund}`} {...{ entry, fund, otherFund }} />;
}
