const NAMED: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
};

const REFERENCE = /&(?:([a-z]+)|#([0-9]+)|#x([0-9a-fA-F]+));|&/g;

/** XML text with its references replaced; undefined where one means nothing. */
export function unescaped(text: string): string | undefined {
  if (!text.includes('&')) return text;
  let known = true;
  const plain = text.replaceAll(REFERENCE, (_, name?: string, decimal?: string, hex?: string) => {
    const character = name === undefined ? characterOf(Number(decimal ?? `0x${hex}`)) : NAMED[name];
    if (character === undefined) known = false;
    return character ?? '';
  });
  return known ? plain : undefined;
}

function characterOf(code: number): string | undefined {
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}

/** Text as an XML element or attribute may hold it. */
export function escaped(text: string): string {
  return /[<>&"]/.test(text) ? text.replaceAll(/[<>&"]/g, (sign) => SIGNS[sign] ?? sign) : text;
}

const SIGNS: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
};
