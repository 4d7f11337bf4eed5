/** Properties from the style sheet, which a standalone SVG does not have. */
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
  'paint-order',
  'font-size',
  'font-family',
  'font-weight',
];

const SCALE = 2;
const MARGIN = 16;
const LINE_HEIGHT = 20;

/** Renders all charts in an element below each other, with a title, their legend and a footer. */
export async function renderPng(root: Element, title: string, footer: string): Promise<Blob> {
  const drawings = [...root.querySelectorAll<SVGSVGElement>('svg.drawing')];
  if (drawings.length === 0) throw new Error('there is no chart to make a picture of');
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (!context) throw new Error('the browser has no canvas to draw on');
  const { fontFamily, color, backgroundColor } = getComputedStyle(document.body);
  const font = `12px ${fontFamily}`;
  const width = Math.max(...drawings.map((drawing) => drawing.clientWidth));
  context.font = font;
  const legend = layOutLegend(root, width, context);
  const legendHeight = LINE_HEIGHT * (1 + (legend.at(-1)?.row ?? 0));
  const chartsHeight = drawings.reduce((sum, { clientHeight }) => sum + clientHeight, 0);
  const lineCount = drawings.length + 3;
  canvas.width = (width + 2 * MARGIN) * SCALE;
  canvas.height = (chartsHeight + legendHeight + lineCount * LINE_HEIGHT + 2 * MARGIN) * SCALE;
  context.scale(SCALE, SCALE);
  context.fillStyle = backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = color;
  context.font = `600 16px ${fontFamily}`;
  context.fillText(title, MARGIN, MARGIN + 14, width);
  context.font = font;
  for (const item of legend) drawLegendItem(context, item);
  let y = MARGIN + LINE_HEIGHT + legendHeight + 8;
  for (const drawing of drawings) {
    const heading = drawing.closest('[data-heading]')?.getAttribute('data-heading');
    if (heading) {
      context.fillText(heading, MARGIN, y + 12);
      y += LINE_HEIGHT;
    }
    context.drawImage(await toImage(drawing), MARGIN, y);
    y += drawing.clientHeight;
  }
  context.fillText(footer, MARGIN, y + LINE_HEIGHT, width);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture was made'))));
  });
}

/** The visible items of the legend, wrapped into rows of at most this width. */
function layOutLegend(root: Element, maxWidth: number, context: CanvasRenderingContext2D) {
  let [nextX, row] = [0, 0];
  return [...root.querySelectorAll('.legend li:not(:has([aria-pressed="false"]))')].map((item) => {
    const name = item.textContent ?? '';
    const swatch = item.querySelector('.swatch');
    const color = swatch ? getComputedStyle(swatch).color : 'gray';
    const width = context.measureText(name).width + 31;
    if (nextX > 0 && nextX + width > maxWidth) [nextX, row] = [0, row + 1];
    const x = nextX;
    nextX += width;
    return { name, color, isHollow: item.classList.contains('comparison'), x, row };
  });
}

type LegendItem = ReturnType<typeof layOutLegend>[number];

function drawLegendItem(context: CanvasRenderingContext2D, item: LegendItem): void {
  const { name, color, isHollow, x, row } = item;
  const top = MARGIN + LINE_HEIGHT * (1 + row) + 6;
  const textColor = context.fillStyle;
  [context.fillStyle, context.strokeStyle] = [color, color];
  if (isHollow) context.strokeRect(MARGIN + x + 1, top + 1, 8, 8);
  else context.fillRect(MARGIN + x, top, 10, 10);
  context.fillStyle = textColor;
  context.fillText(name, MARGIN + x + 15, top + 9);
}

async function toImage(drawing: SVGSVGElement): Promise<HTMLImageElement> {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const copies = copy.querySelectorAll('*');
  drawing.querySelectorAll('*').forEach((original, index) => {
    const styles = getComputedStyle(original);
    for (const name of INLINED_STYLES) {
      copies[index]?.setAttribute(name, styles.getPropertyValue(name));
    }
  });
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  return image;
}
