/** A view that is being built. */
export function Payments() {
  return <h1>Payments</h1>;
}
