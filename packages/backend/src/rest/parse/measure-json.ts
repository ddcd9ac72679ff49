const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

export interface JsonMeasures {
  /** Deepest nesting of lists and objects. */
  depth: number;
  /** Items of a top-level list. */
  items: number;
}

/** Measures a JSON text before it is parsed. Also measures invalid JSON, which the parser then rejects. */
export function measureJson(text: string): JsonMeasures {
  let depth = 0;
  let deepest = 0;
  let items = 1;
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case QUOTE:
        index = endOfString(text, index);
        break;
      case 0x5b: // [
      case 0x7b: // {
        deepest = Math.max(deepest, ++depth);
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1;
        break;
      case COMMA:
        if (depth === 1) items += 1;
        break;
    }
  }
  return { depth: deepest, items };
}

/** Returns the end index of the string that starts at `start`, or the text length if the string is not closed. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) return index;
    if (code === BACKSLASH) index += 1;
  }
  return text.length;
}
