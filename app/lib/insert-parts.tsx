import { type AnyRouter, RouterContextProvider } from '@tanstack/react-router';
import { renderToString } from 'react-dom/server';
import { markedParts, type PagePart } from './page-parts.ts';

/** The HTML of each part as it was rendered last, with what it depended on. */
const kept = new Map<string, { by: readonly unknown[]; html: Buffer<ArrayBuffer> }>();

/** The bytes of a page with every marked part in its place, in pieces that are shared and must not change. Server only. */
export function insertParts(router: AnyRouter, page: string): Buffer<ArrayBuffer>[] {
  const parts = markedParts.get(router) ?? [];
  return page.split(/<!--part (\d+)-->/).map((piece, index) => {
    const part = index % 2 === 1 ? parts[Number(piece)] : undefined;
    return part ? htmlOf(router, part) : Buffer.from(piece);
  });
}

function htmlOf(router: AnyRouter, { name, by, content }: PagePart): Buffer<ArrayBuffer> {
  const known = kept.get(name);
  if (known?.by.length === by.length && by.every((value, index) => value === known.by[index])) return known.html;
  const html = Buffer.from(renderToString(<RouterContextProvider router={router}>{content}</RouterContextProvider>));
  // What could not be read is missing now, not for ever.
  if (!by.includes(undefined)) kept.set(name, { by, html });
  return html;
}
