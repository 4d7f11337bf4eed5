/** A view that is being built. */
export function Ledger() {
  return <h1>Ledger</h1>;
}
