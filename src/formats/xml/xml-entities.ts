const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
};

const REFERENCE = /&(?:([a-z]+)|#([0-9]+)|#x([0-9a-fA-F]+));|&/g;

/** XML text with its references replaced; undefined where one means nothing. */
export function decodeEntities(text: string): string | undefined {
  if (!text.includes('&')) return text;
  let known = true;
  const plain = text.replaceAll(REFERENCE, (_, name?: string, decimal?: string, hex?: string) => {
    const character =
      name === undefined ? toCharacter(Number(decimal ?? `0x${hex}`)) : NAMED_ENTITIES[name];
    if (character === undefined) known = false;
    return character ?? '';
  });
  return known ? plain : undefined;
}

function toCharacter(code: number): string | undefined {
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}

/** Text as an XML element or attribute may hold it. */
export function encodeEntities(text: string): string {
  return /[<>&"]/.test(text)
    ? text.replaceAll(/[<>&"]/g, (sign) => ENTITY_BY_CHARACTER[sign] ?? sign)
    : text;
}

const ENTITY_BY_CHARACTER: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
};
