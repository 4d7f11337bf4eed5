interface ReleaseOptions {
  readonly publishedBy?: string;
  readonly stagedBy?: string;
  readonly approvedBy?: readonly string[];
  readonly urgent?: string;
}

/** The accounts that released a candidate; its author is whatever name somebody gave. */
export function listAccounts(options: object): { readonly name: string; readonly value: string }[] {
  const { release = {} } = options as { readonly release?: ReleaseOptions };
  const { publishedBy, stagedBy, approvedBy, urgent } = release;
  const facts = {
    'Published by': publishedBy,
    'Staged by': stagedBy,
    'Approved by': approvedBy?.join(', '),
    'Without approval': urgent,
  };
  return Object.entries(facts).flatMap(([name, value]) => (value ? [{ name, value }] : []));
}
