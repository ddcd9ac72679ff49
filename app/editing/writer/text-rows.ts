/** Estimate of where lines of a text stand in a text area, which does not tell. Counting is enough to scroll along. */
export interface TextRows {
  /** The share of the whole height, 0 to 1, at which a place of the text stands. */
  heightOf: (place: number) => number;
  placeAt: (height: number) => number;
}

/** @param columns how many characters fit into a row, about */
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

/** Interpolates the value at x, on straight lines between known pairs in ascending order. */
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
