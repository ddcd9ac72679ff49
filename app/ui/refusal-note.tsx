interface RefusalNoteProps {
  title: string;
  /** Server message. */
  children: string;
}

/**
 * Persistent message for an error that occurred before the page was opened. Not a toast, because a toast before the
 * first user input would be overlooked.
 */
export function RefusalNote({ title, children }: RefusalNoteProps) {
  return (
    <p role="alert" className="rounded-md bg-danger-soft px-4 py-3 text-[0.9375rem] [overflow-wrap:anywhere]">
      <strong className="font-semibold">{title}.</strong> {children}
    </p>
  );
}
