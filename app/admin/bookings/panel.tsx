import type { ReactNode } from 'react';

/** A part of the screen with its heading. */
export function Panel({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <section className="grid grid-cols-1 gap-4 rounded-lg border border-line bg-surface p-5">
      <h2 className="text-lg font-semibold">{heading}</h2>
      {children}
    </section>
  );
}
