const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
};

const REFERENCE = /&(?:([a-z]+)|#([0-9]+)|#x([0-9a-fA-F]+));|&/g;

/** XML text with its references replaced; undefined where one is unknown. */
export function decodeEntities(text: string): string | undefined {
  if (!text.includes('&')) return text;
  let isValid = true;
  const decoded = text.replaceAll(REFERENCE, (_, name?: string, decimal?: string, hex?: string) => {
    const character =
      name === undefined ? toCharacter(Number(decimal ?? `0x${hex}`)) : NAMED_ENTITIES[name];
    if (character === undefined) isValid = false;
    return character ?? '';
  });
  return isValid ? decoded : undefined;
}

function toCharacter(code: number): string | undefined {
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}

export function encodeEntities(text: string): string {
  return text.replaceAll(/[<>&"]/g, (character) => ENTITY_BY_CHARACTER.get(character) ?? character);
}

const ENTITY_BY_CHARACTER = new Map(
  Object.entries(NAMED_ENTITIES).map(([name, character]) => [character, `&${name};`]),
);
