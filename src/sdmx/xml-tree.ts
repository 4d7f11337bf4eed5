import { decodeEntities } from '../formats/xml/xml-attributes.ts';
import { XmlScanner } from '../formats/xml/xml-scanner.ts';

/** An element, without the prefixes of namespaces. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlElement[];
  text: string;
}

/** A document that is small enough to be held. Throws an InvalidFileError if it is damaged. */
export function readXmlTree(document: string): XmlElement {
  const root = createElement('', '');
  const stack = [root];
  const scanner = new XmlScanner('the message', {
    open(name, attributes) {
      const element = createElement(name, attributes);
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

const ATTRIBUTE = /(?<![\w.:-])([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

function createElement(name: string, attributes: string): XmlElement {
  const pairs = Array.from(
    attributes.matchAll(ATTRIBUTE),
    ([, key = '', quoted, single = '']) => [key, decodeEntities(quoted ?? single) ?? ''] as const,
  );
  return { name, attributes: new Map(pairs), children: [], text: '' };
}

/** Every element of a name below an element. */
export function findElements(element: XmlElement, name: string): XmlElement[] {
  return element.children.flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...findElements(child, name),
  ]);
}
