/** Estimates line positions in a text area by counting characters. Accurate enough for synchronised scrolling. */
export interface TextRows {
  /** Vertical position of a text index, from 0 to 1. */
  heightOf: (place: number) => number;
  placeAt: (height: number) => number;
}

/** @param columns approximate characters per row */
export function textRows(text: string, columns: number): TextRows {
  const starts: number[] = [];
  const rows: number[] = [];
  let start = 0;
  let total = 0;
  for (const line of text.split('\n')) {
    starts.push(start);
    rows.push(total);
    start += line.length + 1;
    total += Math.max(1, Math.ceil(line.length / columns));
  }
  starts.push(start);
  rows.push(total);
  return {
    heightOf: (place) => interpolate(place, starts, rows) / total,
    placeAt: (height) => interpolate(height * total, rows, starts),
  };
}

/** Linear interpolation between known points in ascending order. */
export function interpolate(x: number, xs: readonly number[], ys: readonly number[]): number {
  let low = 0;
  let high = xs.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((xs[middle] ?? 0) <= x) low = middle;
    else high = middle;
  }
  const [x0 = 0, x1 = 0, y0 = 0, y1 = 0] = [xs[low], xs[high], ys[low], ys[high]];
  const share = x1 === x0 ? 0 : Math.min(1, Math.max(0, (x - x0) / (x1 - x0)));
  return y0 + share * (y1 - y0);
}
