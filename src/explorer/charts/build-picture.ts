/** Properties from the style sheet, which a standalone SVG lacks. */
const INLINED_STYLES = [
  ...['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-dasharray'],
  ...['stroke-linejoin', 'stroke-linecap', 'paint-order', 'opacity'],
  ...['font-size', 'font-family', 'font-weight'],
];

const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';
const MARGIN = 16;
const LINE_HEIGHT = 20;
const PNG_SCALE = 2;

interface PictureOptions {
  readonly title: string;
  readonly footer: string;
}

export interface Picture {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

/** All charts of a panel, one below the other, with title, legend and footer, as an SVG in the light theme. */
export function buildPicture(root: Element, options: PictureOptions): Picture {
  // The page gets its own theme back before anything is painted.
  const { dataset } = document.documentElement;
  const theme = dataset.theme;
  dataset.theme = 'light';
  try {
    return composePicture(root, options);
  } finally {
    if (theme === undefined) delete dataset.theme;
    else dataset.theme = theme;
  }
}

export async function renderSvg({ svg }: Picture): Promise<Blob> {
  return new Blob([svg], { type: 'image/svg+xml' });
}

export async function renderPng({ svg, width, height }: Picture): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width * PNG_SCALE, height * PNG_SCALE];
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture was made'))));
  });
}

function composePicture(root: Element, { title, footer }: PictureOptions): Picture {
  const drawings = [...root.querySelectorAll<SVGSVGElement>('svg.drawing')];
  if (drawings.length === 0) throw new Error('there is no chart to make a picture of');
  const { fontFamily, color } = getComputedStyle(document.body);
  // Lines are outlined in the colour of the panel.
  const { backgroundColor } = getComputedStyle(root);
  const widths = [
    ...drawings.map((drawing) => drawing.clientWidth),
    measureText(title, `600 16px ${fontFamily}`),
    measureText(footer, `12px ${fontFamily}`),
  ];
  const width = Math.ceil(Math.max(...widths)) + 2 * MARGIN;
  const svg = createElement('svg', { 'font-family': fontFamily, 'font-size': 12, fill: color });
  const background = createElement('rect', {
    width: '100%',
    height: '100%',
    fill: backgroundColor,
  });
  svg.append(background, createText(title, MARGIN + 14, { 'font-size': 16, 'font-weight': 600 }));
  let y = appendLegend(svg, root, { y: MARGIN + LINE_HEIGHT, width, font: `12px ${fontFamily}` });
  for (const drawing of drawings) {
    const heading = drawing.closest('[data-heading]')?.getAttribute('data-heading');
    if (heading) {
      svg.append(createText(heading, y + 12));
      y += LINE_HEIGHT;
    }
    svg.append(setAttributes(inlineStyles(drawing), { x: MARGIN, y }));
    y += drawing.clientHeight;
  }
  svg.append(createText(footer, y + LINE_HEIGHT, { opacity: 0.75 }));
  const height = Math.ceil(y + LINE_HEIGHT + MARGIN);
  setAttributes(svg, { width, height, viewBox: `0 0 ${width} ${height}` });
  return { svg: new XMLSerializer().serializeToString(svg), width, height };
}

/** Draws the visible items of the legend in rows. Returns the position where the charts begin. */
function appendLegend(
  svg: SVGElement,
  root: Element,
  { y: top, width, font }: { y: number; width: number; font: string },
): number {
  let [x, y] = [MARGIN, top];
  for (const item of root.querySelectorAll('.legend li:not(:has([aria-pressed="false"]))')) {
    const name = item.firstElementChild?.textContent ?? '';
    const itemWidth = measureText(name, font) + 34;
    if (x > MARGIN && x + itemWidth > width - MARGIN) [x, y] = [MARGIN, y + LINE_HEIGHT];
    const swatch = item.querySelector<SVGSVGElement>('svg.swatch');
    if (swatch) svg.append(setAttributes(inlineStyles(swatch), { x, y: y + 6 }));
    svg.append(createText(name, y + 15, { x: x + 19 }));
    x += itemWidth;
  }
  return y + LINE_HEIGHT + 8;
}

function measureText(text: string, font: string): number {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return 0;
  context.font = font;
  return context.measureText(text).width;
}

type Attributes = Readonly<Record<string, string | number>>;

function createElement(name: string, attributes: Attributes) {
  return setAttributes(document.createElementNS(SVG_NAMESPACE, name), attributes);
}

function setAttributes(element: SVGElement, attributes: Attributes) {
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

function createText(text: string, y: number, attributes: Attributes = {}) {
  const element = createElement('text', { x: MARGIN, y, ...attributes });
  element.textContent = text;
  return element;
}

function inlineStyles(drawing: SVGSVGElement): SVGSVGElement {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const copies = [copy, ...copy.querySelectorAll('*')];
  [drawing, ...drawing.querySelectorAll('*')].forEach((original, index) => {
    const styles = getComputedStyle(original);
    for (const name of INLINED_STYLES)
      copies[index]?.setAttribute(name, styles.getPropertyValue(name));
    copies[index]?.removeAttribute('class');
  });
  return copy;
}
