/** A view that is being built. */
export function Market() {
  return <h1>Market</h1>;
}
