/** The key of the option in a URL parameter; by default the first one. */
export function parseOption<Key extends string>(
  options: Readonly<Record<Key, string>>,
  text: string | undefined,
): Key {
  const keys = Object.keys(options) as Key[];
  return keys.find((key) => key === text) ?? (keys[0] as Key);
}
