/** A view that is being built. */
export function Funds() {
  return <h1>Funds</h1>;
}
