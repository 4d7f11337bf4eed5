import { encodeEntities } from '../formats/xml/xml-attributes.ts';

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
export const SCHEMAS = 'http://www.sdmx.org/resources/sdmxml/schemas/v2_1';

/** Characters that no XML document may have. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
const INVALID = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;
const LINE_BREAK = /[\t\n\r]/g;

/** A text for an element or an attribute. */
export function escapeXml(text: string): string {
  return encodeEntities(text)
    .replace(INVALID, '\ufffd')
    .replace(LINE_BREAK, (character) => `&#${character.charCodeAt(0)};`);
}

/** Attributes with a space before each; those without a value are left out. */
export function formatAttributes(
  attributes: Readonly<Record<string, string | number | undefined>>,
): string {
  let text = '';
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined) text += ` ${name}="${escapeXml(String(value))}"`;
  return text;
}

/** What every message says of itself: an id, and when its data was published. */
export interface MessageHeader {
  readonly id: string;
  readonly prepared: string;
  readonly sender: string;
}

export function formatXmlHeader({ id, prepared, sender }: MessageHeader, more = ''): string {
  return `<mes:Header><mes:ID>${escapeXml(id)}</mes:ID><mes:Test>false</mes:Test><mes:Prepared>${escapeXml(prepared)}</mes:Prepared><mes:Sender${formatAttributes({ id: sender })}/>${more}</mes:Header>`;
}
