interface RefusalNoteProps {
  title: string;
  /** Server message. */
  children: string;
}

/** Persistent error from before the page was opened. The user has not clicked anything, so a toast would be missed. */
export function RefusalNote({ title, children }: RefusalNoteProps) {
  return (
    <p role="alert" className="rounded-md bg-danger-soft px-4 py-3 text-[0.9375rem] [overflow-wrap:anywhere]">
      <strong className="font-semibold">{title}.</strong> {children}
    </p>
  );
}
