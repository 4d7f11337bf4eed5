/** The looks that come from the style sheet, and are not in a drawing by itself. */
const INLINED_STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'stroke-linejoin',
  'stroke-linecap',
  'opacity',
  'font-size',
  'font-family',
  'font-weight',
];

const SCALE = 2;
const MARGIN = 16;
const LINE = 20;

/** The drawings within an element, one under the other, as a picture with a title and a legend. */
export async function renderPng(within: Element, title: string, foot: string): Promise<Blob> {
  const drawings = [...within.querySelectorAll<SVGSVGElement>('svg.drawing')];
  if (drawings.length === 0) throw new Error('there is no chart to make a picture of');
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('the browser has no canvas to draw on');
  const page = getComputedStyle(document.body);
  const width = Math.max(...drawings.map((drawing) => drawing.clientWidth));
  pen.font = `12px ${page.fontFamily}`;
  const names = placeLegendItems(
    readLegendItems(within),
    width,
    (name) => pen.measureText(name).width,
  );
  const legend = LINE * (1 + (names.at(-1)?.row ?? 0));
  const heights = drawings.reduce((sum, drawing) => sum + drawing.clientHeight + LINE, 0);
  canvas.width = (width + 2 * MARGIN) * SCALE;
  canvas.height = (heights + legend + 3 * LINE + 2 * MARGIN) * SCALE;
  pen.scale(SCALE, SCALE);
  pen.fillStyle = page.backgroundColor;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = page.color;
  pen.font = `600 16px ${page.fontFamily}`;
  pen.fillText(title, MARGIN, MARGIN + 14, width);
  pen.font = `12px ${page.fontFamily}`;
  for (const name of names) drawLegendItem(pen, name);
  let y = MARGIN + LINE + legend + 8;
  for (const drawing of drawings) {
    const heading = drawing.closest('[data-heading]')?.getAttribute('data-heading');
    if (heading) pen.fillText(heading, MARGIN, y + 12);
    if (heading) y += LINE;
    pen.drawImage(await toImage(drawing), MARGIN, y);
    y += drawing.clientHeight;
  }
  pen.fillText(foot, MARGIN, y + LINE, width);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture was made'))));
  });
}

/** A name of the legend with its swatch, which is hollow where what it names is. */
function drawLegendItem(
  pen: CanvasRenderingContext2D,
  { name, colour, isHollow, x, row }: PlacedLegendItem,
): void {
  const top = MARGIN + LINE * (1 + row) + 6;
  const ink = pen.fillStyle;
  [pen.fillStyle, pen.strokeStyle] = [colour, colour];
  if (isHollow) pen.strokeRect(MARGIN + x + 1, top + 1, 8, 8);
  else pen.fillRect(MARGIN + x, top, 10, 10);
  pen.fillStyle = ink;
  pen.fillText(name, MARGIN + x + 15, top + 9);
}

interface LegendItem {
  readonly name: string;
  readonly colour: string;
  readonly isHollow: boolean;
}

interface PlacedLegendItem extends LegendItem {
  readonly x: number;
  readonly row: number;
}

/** The names in rows that are no wider than the picture. */
function placeLegendItems(
  names: readonly LegendItem[],
  width: number,
  widthOf: (name: string) => number,
): PlacedLegendItem[] {
  let [x, row] = [0, 0];
  return names.map((named) => {
    const wide = widthOf(named.name) + 31;
    if (x > 0 && x + wide > width) [x, row] = [0, row + 1];
    const at = { ...named, x, row };
    x += wide;
    return at;
  });
}

/** What the legend names, but for what is hidden. */
function readLegendItems(within: Element): LegendItem[] {
  const items = [...within.querySelectorAll('.legend li')];
  const shown = items.filter((item) => !item.querySelector('[aria-pressed="false"]'));
  return shown.map((item) => {
    const swatch = item.querySelector('.swatch');
    const colour = swatch ? getComputedStyle(swatch).color : 'gray';
    const isHollow = item.classList.contains('comparison');
    return { name: item.textContent ?? '', colour, isHollow };
  });
}

/** A drawing by itself, with its looks written into it. */
async function toImage(drawing: SVGSVGElement): Promise<HTMLImageElement> {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const copies = copy.querySelectorAll('*');
  drawing.querySelectorAll('*').forEach((original, index) => {
    const looks = getComputedStyle(original);
    for (const look of INLINED_STYLES)
      copies[index]?.setAttribute(look, looks.getPropertyValue(look));
  });
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  return image;
}
