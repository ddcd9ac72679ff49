import { useRouter } from '@tanstack/react-router';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { markPart } from '../../lib/page-parts.ts';

interface BelowFoldProps {
  /** Different for every part of the page. */
  name: string;
  /** All the content that is shown inside: while these are the same values, the server renders it only once. */
  by: readonly unknown[];
  /** With --guess, the height it takes until it comes near. */
  className?: string;
  children: ReactNode;
}

/** A part of the page below the first screen: neither laid out nor rendered anew when there is no need to. */
export function BelowFold({ name, by, className, children }: BelowFoldProps) {
  const mark = markPart(useRouter(), { name, by, content: children });
  const shape = clsx('below-fold', className);
  if (mark === undefined) return <div className={shape}>{children}</div>;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own mark
  return <div className={shape} dangerouslySetInnerHTML={{ __html: mark }} />;
}
