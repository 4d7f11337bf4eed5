import type { ChartFrame } from './chart-data.ts';

type ChartSize = Pick<ChartFrame, 'left' | 'right' | 'width' | 'height'>;

const DISTANCE = 12;

/** Centred vertically on the point, as far as the chart allows. */
export function placeTooltip(x: number, y: number, height: number, frame: ChartSize) {
  const isLeft = x > (frame.left + frame.right) / 2;
  const top = Math.max(0, Math.min(y - height / 2, frame.height - height));
  const side = isLeft
    ? { right: `${frame.width - x + DISTANCE}px` }
    : { left: `${x + DISTANCE}px` };
  return { ...side, top: `${Math.round(top)}px` };
}
