import { readXmlTree, type XmlElement as XmlNode } from '../../src/sdmx/xml-tree.ts';

/** An element with its attributes as an object, for comparisons. */
export interface XmlElement extends Pick<XmlNode, 'name' | 'text'> {
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
}

export function readXml(document: string): XmlElement {
  return toComparable(readXmlTree(document));
}

function toComparable({ attributes, children, ...others }: XmlNode): XmlElement {
  return {
    ...others,
    attributes: Object.fromEntries(attributes),
    children: children.map(toComparable),
  };
}

/** Every element of a name below an element. */
export function findElements(element: XmlElement, name: string): XmlElement[] {
  return element.children.flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...findElements(child, name),
  ]);
}
