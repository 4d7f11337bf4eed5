/** A view that is being built. */
export function Security() {
  return <h1>Security</h1>;
}
