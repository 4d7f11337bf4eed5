import { decodeEntities } from '../../src/formats/xml/xml-attributes.ts';
import { XmlScanner } from '../../src/formats/xml/xml-scanner.ts';

/** An element of a small document, without the prefixes of namespaces. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

/** Reads a document by the scanner that reads workbooks. */
export function readXml(document: string): XmlElement {
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const stack = [root];
  const scanner = new XmlScanner('message', {
    open(name, attributes) {
      const element = { name, attributes: readAttributes(attributes), children: [], text: '' };
      stack.at(-1)?.children.push(element);
      stack.push(element);
    },
    text(chunk) {
      const element = stack.at(-1);
      if (element) element.text += chunk;
    },
    close: () => void stack.pop(),
  });
  scanner.write(document);
  scanner.end();
  return root.children[0] as XmlElement;
}

function readAttributes(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/([\w:]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      decodeEntities(value) ?? '',
    ]),
  );
}

/** Every element of a name below an element. */
export function findElements(element: XmlElement, name: string): XmlElement[] {
  return element.children.flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...findElements(child, name),
  ]);
}
