import { usePlace } from '../address/place.ts';
import { List } from './list.tsx';
import { OneRevision } from './one-revision.tsx';

/** What was published, corrected and retired; with a number in the address, one revision. */
export function Ledger() {
  const { at } = usePlace();
  return at.revision === undefined ? (
    <List />
  ) : (
    <OneRevision key={at.revision} text={at.revision} />
  );
}
