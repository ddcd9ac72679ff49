/**
 * Parts of a page that need not be rendered anew with it: React renders a mark in the place of such a part, and
 * insert-parts.tsx puts the part there afterwards (docs/decisions/kept-parts.md).
 */
import type { AnyRouter } from '@tanstack/react-router';
import { createIsomorphicFn } from '@tanstack/react-start';
import type { ReactNode } from 'react';

export interface PagePart {
  name: string;
  /** Everything that its HTML depends on, compared by identity. */
  by: readonly unknown[];
  content: ReactNode;
}

/** The parts that a page being rendered has marked so far, by its router. */
export const markedParts = new WeakMap<AnyRouter, PagePart[]>();

/** Marks the place of a part. In the browser there is nothing to skip: undefined. */
export const markPart = createIsomorphicFn()
  .server((router: AnyRouter, part: PagePart): string | undefined => {
    const parts = markedParts.get(router) ?? [];
    markedParts.set(router, parts);
    parts.push(part);
    return `<!--part ${parts.length - 1}-->`;
  })
  .client((): string | undefined => undefined);
